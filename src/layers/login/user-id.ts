/** Number of users searched for a token's subject; beyond that, the first one tells whether ids are numbers. */
export const LOOKED_AT = 1000

/**
 * The id of a token's user. Token subjects are strings: it becomes a number again if the users' ids are numbers,
 * so that `row.ownerId === req.user.id` works.
 * @param users undefined if anyone may log in, and everyone has id 1
 */
export function userId(subject: string, users: readonly unknown[] | undefined): string | number {
  if (users === undefined) return subject === '1' ? 1 : subject
  const most = Math.min(users.length, LOOKED_AT)
  for (let place = 0; place < most; place += 1) {
    const id = idOf(users[place]) ?? place + 1
    if (String(id) === subject && (typeof id === 'string' || typeof id === 'number')) return id
  }
  const isNumber = typeof idOf(users[0]) === 'number' && String(Number(subject)) === subject
  return isNumber ? Number(subject) : subject
}

function idOf(user: unknown): unknown {
  return Reflect.get(Object(user), 'id')
}

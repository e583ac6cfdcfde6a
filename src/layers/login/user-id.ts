/** Users looked at for the one of a token; of more than these, one tells how ids look here. */
const LOOKED_AT = 1000

/**
 * The id of the user that a token is about. Tokens hold texts only: it is a number again where the users have numbers,
 * so that `row.ownerId === req.user.id` works.
 * @param users undefined where anybody may log in, and everybody is number 1
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

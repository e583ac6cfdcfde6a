import { ConfigError } from '../../catalogue/error-classes.ts'
import { isObject } from '../../json/values.ts'
import type { Log } from '../parts/options.ts'
import { isHash } from './passwords.ts'

export interface Account {
  readonly email: string
  readonly password: string | number
  readonly [field: string]: unknown
}

/** The accounts at each call: `users`, else the rows of `findUsers`; undefined if anyone may log in. */
export function accountSource(
  users: unknown,
  findUsers: unknown,
  log: Log,
): (session?: string) => Account[] | undefined | Promise<Account[] | undefined> {
  if (users !== undefined) {
    const accounts = checkUsers(users)
    return () => accounts
  }
  if (findUsers !== undefined && typeof findUsers !== 'function') {
    throw new ConfigError('jwt.findUsers must be a function that returns rows')
  }
  return (session) => {
    const rows: unknown = findUsers?.(undefined, session)
    return rows instanceof Promise ? rows.then(accountsIn) : accountsIn(rows)
  }

  function accountsIn(rows: unknown): Account[] | undefined {
    if (!Array.isArray(rows)) {
      log(
        'jwt: any email and any password can log in; set jwt.users or add a users collection to change that',
      )
      return undefined
    }
    const accounts = rows.filter(isAccount)
    if (accounts.length === 0) {
      log(
        'jwt: nobody can log in, since no row of users has both email and password; add them or set jwt.users',
      )
    }
    if (accounts.some(({ password }) => !isHash(String(password)))) {
      log('jwt: GET /users exposes the passwords in that collection: use jwt.users, or bcrypt hashes')
    }
    return accounts
  }
}

const USERS = '[{ "email": "ada@example.com", "password": "secret" }]'

/** Users are identified by position: the message ends up in logs. */
function checkUsers(users: unknown): Account[] {
  if (!Array.isArray(users)) throw new ConfigError(`jwt.users must be a list like ${USERS}`)
  if (users.length === 0) {
    throw new ConfigError(
      `jwt.users is empty, so nobody could log in: add a user, such as ${USERS}, or leave it out`,
    )
  }
  return users.map((user: unknown, index) => {
    if (!isAccount(user) || user.email === '' || user.password === '') {
      throw new ConfigError(`jwt.users: user ${index + 1} needs an email and a password`)
    }
    return { id: index + 1, ...user }
  })
}

function isAccount(row: unknown): row is Account {
  if (!isObject(row) || typeof row.email !== 'string') return false
  return typeof row.password === 'string' || typeof row.password === 'number'
}

/** Users that are searched for a token's subject; beyond that, ids are numbers if the first one is. */
export const MOST_SEARCHED = 1000

/** The id in a token, a number again where the users' ids are: `row.ownerId === req.user.id` works. */
export function userId(subject: string, users: readonly unknown[] | undefined): string | number {
  if (users === undefined) return subject === '1' ? 1 : subject
  const most = Math.min(users.length, MOST_SEARCHED)
  for (let at = 0; at < most; at += 1) {
    const id = idOf(users[at]) ?? at + 1
    if (String(id) === subject && (typeof id === 'string' || typeof id === 'number')) return id
  }
  const isNumber = typeof idOf(users[0]) === 'number' && String(Number(subject)) === subject
  return isNumber ? Number(subject) : subject
}

function idOf(user: unknown): unknown {
  return Reflect.get(Object(user), 'id')
}

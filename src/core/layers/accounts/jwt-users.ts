import type { Request } from 'express'
import { isObject } from '../../kernel/json/values.ts'
import type { Log } from '../parts/options.ts'
import { isHash } from './passwords.ts'

export interface Account {
  readonly email: string
  readonly password: string | number
  readonly [field: string]: unknown
}

interface Source {
  readonly users?: readonly Account[]
  readonly findUsers?: (most?: number, req?: Request) => unknown
}

/** The accounts at each call: `users`, else the rows of `findUsers`; undefined if anyone may log in. */
export function accountSource(
  { users, findUsers }: Source,
  log: Log,
): (req?: Request) => Account[] | undefined | Promise<Account[] | undefined> {
  if (users !== undefined) {
    const accounts = users.map((user, index) => ({ id: index + 1, ...user }))
    return () => accounts
  }
  return (req) => {
    const rows: unknown = findUsers?.(undefined, req)
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

import type { Request } from 'express'
import type { Fields } from './read-fields.ts'

export interface StoredUser {
  readonly id: unknown
  readonly fields: Fields
  /** Plain, or a bcrypt hash; undefined if the user has none. */
  readonly password: unknown
}

type Seals = readonly (readonly [sent: string, stored: string])[]

type Found<T> = T | undefined | Promise<T | undefined>

/** Where users are kept. Each session has its own. */
export interface AccountStore {
  /** By email, whatever its case, or by username: with an `@`, by email first. By email alone if `isEmail`. */
  find(login: string, session: string | undefined, isEmail?: boolean): Found<StoredUser>
  withId(id: string, session: string | undefined): Found<StoredUser>
  /** Of the hashes that users have: how long a comparison with the slowest takes. Undefined if there is none. */
  highestCost(session: string | undefined): Found<number>
  /** Rejects with a `StorageError`, and then nothing was changed. */
  add(req: Request, fields: Fields, seals: Seals): Promise<StoredUser>
  /** Throws a `StorageError` if the user who sends a request may not read this row, which is their own. */
  checkRead(req: Request, fields: Fields): void
  /** Changes the sender's own row; undefined if it is gone. `onSeal` gets the password as stored, before it is. */
  change(
    req: Request,
    id: string,
    fields: Fields,
    onSeal: (stored: string) => unknown,
  ): Promise<StoredUser | undefined>
}

import type { Request, Response } from 'express'
import { ownRequests, SERVER_ITSELF, USER_HEADER } from '../../kernel/http/request-context.ts'
import { isGrow } from '../../kernel/http/server-paths.ts'
import { worldOf } from '../../kernel/http/world.ts'
import { refuseRequest } from '../parts/guard.ts'
import type { BodyFields } from './fields.ts'
import type { Logins } from './logins.ts'
import { clearTokenCookies, cookieToken, type LoginTokens, TOKEN_REFUSALS } from './tokens.ts'

export interface StoredUser {
  readonly id: unknown
  readonly fields: BodyFields
  /** Plain, or a bcrypt hash; undefined if the user has none. */
  readonly password: unknown
}

type Maybe<T> = T | undefined | Promise<T | undefined>

/** The users of each world. */
export interface AccountStore {
  /** By email, whatever its case, or by username: with an `@`, by email first. By email alone if `isEmail`. */
  find(login: string, req: Request, isEmail?: boolean): Maybe<StoredUser>
  withId(id: string, req: Request): Maybe<StoredUser>
  /** Emails or usernames of the first users. */
  names(req: Request): Promise<readonly string[]>
  highestCost(req: Request): Maybe<number>
  /**
   * Rejects with a `StorageError`, and then nothing was changed.
   * @param seals hashes that are stored in the place of passwords
   */
  add(
    req: Request,
    fields: BodyFields,
    seals: readonly (readonly [sent: string, stored: string])[],
  ): Promise<StoredUser>
  /** Rejects with a `StorageError` if users may not read this row, their own. */
  checkRead(req: Request, fields: BodyFields): Promise<void>
  /** Changes the sender's own row; undefined if it is gone. `onSeal` gets the password as stored, before it is. */
  change(
    req: Request,
    id: string,
    fields: BodyFields,
    onSeal: (stored: string) => unknown,
  ): Promise<StoredUser | undefined>
}

export interface AdmissionOptions {
  readonly store: AccountStore
  readonly tokens: LoginTokens
  /** The logins of the world of a request. */
  readonly loginsOf: (req: Request) => Logins
  readonly cookies: boolean
  readonly persona: boolean
  /** Of users that have none. */
  readonly role: string
}

export interface Sender extends StoredUser {
  readonly email: unknown
  readonly role: string
  /** The login that the request is part of; none for a persona. */
  readonly login?: { readonly chain: string; readonly expiresAt: number } | undefined
}

/** `nobody` without a token. `refused`: a response has been sent. */
export type Admitted = Sender | 'nobody' | 'refused'

/** Identifies the sender of a request. Refuses an invalid token: its owner must not silently become nobody. */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /** Whether a page sends the request, with credentials that any page could make the browser send. */
  isFromPage(req: Request, isEndpoint: boolean): boolean {
    const { cookies, persona } = this.#options
    if (req.headers.origin === undefined) return false
    if (persona && (req.get(USER_HEADER) !== undefined || this.#userOf(req) !== undefined)) return true
    return cookies && (isEndpoint || (tokenOf(req) === undefined && cookieToken(req, 'access') !== undefined))
  }

  async admit(req: Request, res: Response): Promise<Admitted> {
    const { store, tokens, loginsOf, persona } = this.#options
    const name = persona || ownRequests.has(req) ? req.get(USER_HEADER) : undefined
    // What the server itself may do there, the endpoint says.
    if (name === SERVER_ITSELF && worldOf(req).name !== undefined && isGrow(req)) return 'nobody'
    if (name !== undefined) {
      const user = await store.find(name, req)
      if (user) return this.senderOf(user)
      return this.#refuse(
        res,
        `X-Mock-User names nobody: send an email or a username. ${await this.#all(req)}`,
      )
    }
    const token = this.#tokenOf(req)
    if (token === undefined) {
      const own = this.#userOf(req)
      if (own === undefined) return 'nobody'
      const user = await store.find(own, req)
      if (user) return this.senderOf(user)
      return this.#refuse(res, `The user of this scenario, ${own}, is not there. ${await this.#all(req)}`)
    }
    const claims = tokens.readLogin(req, token, 'access')
    if (claims === 'expired')
      return this.#refuse(res, 'The token has expired. Get another with POST /refresh.')
    if (claims === 'elsewhere') return this.#refuse(res, TOKEN_REFUSALS.elsewhere)
    if (claims === 'forged') return this.#refuseForGood(req, res, TOKEN_REFUSALS.forged)
    const { chain, expiresAt, subject } = claims
    const user = await store.withId(subject, req)
    if (user && (await loginsOf(req).isActive(chain, user.password)))
      return this.senderOf(user, { chain, expiresAt })
    return this.#refuseForGood(req, res, 'This login has ended. Log in with POST /login.')
  }

  /** The user that requests without credentials act as in a world that began so. */
  #userOf(req: Request): string | undefined {
    const { beginning, base } = worldOf(req)
    const user = beginning?.user ?? base.beginning?.user
    return user !== undefined && this.#tokenOf(req) === undefined ? user : undefined
  }

  #tokenOf(req: Request): string | undefined {
    return tokenOf(req) ?? (this.#options.cookies ? cookieToken(req, 'access') : undefined)
  }

  async #all(req: Request): Promise<string> {
    return `There are ${(await this.#options.store.names(req)).join(', ') || 'no users'}.`
  }

  async isStill(req: Request, { id, role, login }: Sender): Promise<boolean> {
    const { store, loginsOf } = this.#options
    const user = await store.withId(String(id), req)
    if (!user || this.senderOf(user).role !== role) return false
    return login === undefined || loginsOf(req).isActive(login.chain, user.password)
  }

  senderOf({ id, fields, password }: StoredUser, login?: Sender['login']): Sender {
    const { email, role } = fields
    // Field by field: a spread is slow here, and this runs for each request.
    return { id, fields, password, email, role: typeof role === 'string' ? role : this.#options.role, login }
  }

  /** Scripts cannot remove the cookies, so a browser would send the same ones forever. */
  #refuseForGood(req: Request, res: Response, message: string): 'refused' {
    if (tokenOf(req) === undefined) clearTokenCookies(req, res)
    return this.#refuse(res, message)
  }

  #refuse(res: Response, message: string): 'refused' {
    refuseRequest(res, 'accounts', 'AUTH_REQUIRED', message)
    return 'refused'
  }
}

/** The token of `Authorization: Bearer x`, `token x` or `x`; undefined if there is none, or another scheme. */
export function tokenOf({ headers }: Request): string | undefined {
  return TOKEN.exec(headers.authorization ?? '')?.[1]
}

const TOKEN = /^\s*(?:(?:bearer|token)\s+)?(\S+)\s*$/i

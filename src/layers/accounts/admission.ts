import type { Request, Response } from 'express'
import { sessionOf } from '../../http/request-context.ts'
import { refuse } from '../_guard.ts'
import type { AccountStore, StoredUser } from './account-store.ts'
import type { Chains } from './chains.ts'
import type { Fields } from './read-fields.ts'
import { clearTokenCookies, cookieToken, type LoginTokens } from './tokens.ts'

export interface AdmissionOptions {
  readonly store: AccountStore
  readonly tokens: LoginTokens
  readonly chains: Chains
  readonly cookies: boolean
  readonly persona: boolean
  readonly role: string
}

export interface Sender {
  readonly id: unknown
  readonly email: unknown
  readonly role: string
  readonly fields: Fields
  readonly password: unknown
  /** The login that the request is part of; none for a persona. */
  readonly login?: Login | undefined
}

export interface Login {
  readonly chain: string
  readonly expiresAt: number
}

/** Nobody in particular, or somebody; or a refusal has been sent. */
export type Admitted = Sender | 'nobody' | 'refused'

const PERSONA = 'x-mock-user'

/** Finds out who sends a request. A token that is not good is refused: its owner must not silently become nobody. */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /** Whether a browser may have added what makes a request somebody's: then it matters which page sends it. */
  isFromPage(req: Request, isEndpoint: boolean): boolean {
    const { cookies, persona } = this.#options
    if (req.headers.origin === undefined) return false
    if (persona && req.headers[PERSONA] !== undefined) return true
    return cookies && (isEndpoint || (tokenOf(req) === undefined && cookieToken(req, 'access') !== undefined))
  }

  async admit(req: Request, res: Response): Promise<Admitted> {
    const { store, tokens, chains, cookies, persona } = this.#options
    const acted = persona ? req.headers[PERSONA] : undefined
    const session = sessionOf(req)
    if (acted !== undefined) {
      const user = await store.find(String(acted), session)
      if (user) return this.senderOf(user)
      return this.#refuse(res, 'X-Mock-User names nobody: send the email or the username of a user.')
    }
    const token = tokenOf(req) ?? (cookies ? cookieToken(req, 'access') : undefined)
    if (token === undefined) return 'nobody'
    const claims = tokens.read(req, token, 'access')
    if (claims === 'forged') return this.#refuseGone(req, res, 'This token was not issued by this server.')
    if (typeof claims === 'string') return this.#refuse(res, REFUSED[claims])
    const { chain, expiresAt, subject } = claims
    const user = await store.withId(subject, session)
    if (user && (await chains.isGood(chain, user.password))) return this.senderOf(user, { chain, expiresAt })
    return this.#refuseGone(req, res, 'This login has ended.')
  }

  async isStill(req: Request, { id, role, login }: Sender): Promise<boolean> {
    const { store, chains } = this.#options
    const user = await store.withId(String(id), sessionOf(req))
    if (!user || this.senderOf(user).role !== role) return false
    return login === undefined || chains.isGood(login.chain, user.password)
  }

  senderOf(user: StoredUser, login?: Login): Sender {
    const { email, role } = user.fields
    const { id, fields, password } = user
    return { id, email, role: typeof role === 'string' ? role : this.#options.role, fields, password, login }
  }

  /** Scripts cannot remove the cookies, so a browser would send the same ones forever. */
  #refuseGone(req: Request, res: Response, message: string): 'refused' {
    if (tokenOf(req) === undefined) clearTokenCookies(req, res)
    return this.#refuse(res, `${message} Log in with POST /login.`)
  }

  #refuse(res: Response, message: string): 'refused' {
    refuse(res, 'accounts', 'AUTH_REQUIRED', message)
    return 'refused'
  }
}

const REFUSED = {
  expired: 'The token has expired. Get another with POST /refresh.',
  elsewhere: 'This token belongs to another session. Log in again with POST /login.',
} as const

/** The token of `Authorization: Bearer x`, `token x` or `x`; undefined if there is none, or another scheme. */
export function tokenOf({ headers }: Request): string | undefined {
  const [, token] = TOKEN.exec(headers.authorization ?? '') ?? []
  return token
}

const TOKEN = /^\s*(?:(?:bearer|token)\s+)?(\S+)\s*$/i

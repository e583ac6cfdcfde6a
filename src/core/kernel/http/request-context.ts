import type { Request } from 'express'
import type { IgnoredPart } from '../catalogue/exchange.ts'

/*
 * What handlers record about a request for those behind them. In maps rather than on the request: V8 is fast as long as
 * all requests have the same shape.
 */

export const SESSION_HEADER = 'X-Mock-Session'

export const SCENARIO_HEADER = 'X-Mock-Scenario'

/** Names the user that a request acts as, or the server itself: `*`. */
export const USER_HEADER = 'X-Mock-User'
export const SERVER_ITSELF = '*'

/** Requests of the program that runs the server: they may act as any user, whatever the settings. */
export const ownRequests = new WeakSet<object>()

/** A request that comes through another app, or without a network. */
export interface Mount {
  /** The path of the other app that leads here: `/api`. Empty at its root. `req.originalUrl` is without it. */
  readonly path: string
  /** Whether the other app serves what is not here. */
  readonly passesOn: boolean
}

/** By request. Those to a port of our own have none. */
export const mounts = new WeakMap<object, Mount>()

/** Responses of another server, whose bodies are sent as they came: they are not compressed here. */
export const asSent = new WeakSet<object>()

/** The logged-in user, as far as rules of access are concerned. */
export interface Caller {
  /** The id of the user's row, as it is stored. */
  readonly id: unknown
  readonly role: string
  /** Whether the login is still valid, for responses that outlive it. Always, without it. */
  readonly isStill?: () => boolean | Promise<boolean>
  /** When the login expires by the clock of the request, in milliseconds since 1970. Never, without it. */
  readonly expiresAt?: number | undefined
}

/** By request. Anonymous ones have none, and where there are no accounts. */
export const callers = new WeakMap<Request, Caller>()

export interface PublicPass {
  isPublic(path: string): boolean
  /** Checks the request as if its path were not public; sends the refusal itself. */
  admit(): boolean
}

/** By request that guards let pass by its path alone: the router checks what else the request reads. */
export const publicPasses = new WeakMap<Request, readonly PublicPass[]>()

export interface RewrittenParts {
  /** Parameters that the rule sets, in all spellings. */
  readonly parameters: ReadonlySet<string>
  /** Whether the rule itself names the end of its path, as `/companies/:id/products` does. */
  readonly endsByRule: boolean
}

/** By request, if a rule rewrote it. */
export const rewrites = new WeakMap<Request, RewrittenParts>()

/** By request, if something in it has no effect. */
export const ignoredParts = new WeakMap<Request, readonly IgnoredPart[]>()

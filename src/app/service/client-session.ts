import { ConfigError } from '../../catalogue/error-classes.ts'
import { SESSION_HEADER } from '../../http/request-context.ts'
import type { ChainDb } from '../../router/chain-db.ts'
import type { RestRouter } from '../../router/router.ts'
import { isSessionName, type Session, type Sessions } from './sessions.ts'

/** A session, in code: a client with a copy of the data of its own. */
export interface ClientSession {
  readonly name: string
  /** Send these with a request to make it part of the session. */
  readonly headers: Readonly<Record<string, string>>
  /** Like the global `fetch`, in this session; a path is one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The session's data as a lodash chain. */
  readonly db: ChainDb
  /** Puts its data back to what it was a copy of. */
  reset(): Promise<void>
  /** Ends it, and frees its memory. */
  close(): Promise<void>
}

export function clientSession(
  name: string,
  url: string,
  sessions: Sessions,
  routerOf: (session: Session) => RestRouter,
): ClientSession {
  if (!isSessionName(name)) {
    throw new ConfigError(
      `session: ${JSON.stringify(name)} is not a name. Use 1 to 64 letters, digits, dots, hyphens and underscores.`,
    )
  }
  return {
    name,
    headers: { [SESSION_HEADER]: name },
    fetch(input, init) {
      const request = new Request(typeof input === 'string' ? new URL(input, url) : input, init)
      request.headers.set(SESSION_HEADER, name)
      return fetch(request)
    },
    get db() {
      const session = sessions.open(name)
      if (session) return routerOf(session).db
      throw new ConfigError(`session: there is no room for ${name}. End others first.`)
    },
    async reset() {
      await sessions.reset(name)
    },
    async close() {
      sessions.end(name)
    },
  }
}

import { ConfigError } from '../../catalogue/error-classes.ts'
import { SESSION_HEADER } from '../../http/request-context.ts'
import type { ChainDb } from '../../router/chain-db.ts'
import type { RestRouter } from '../../router/router.ts'
import { type RemoteSession, withHeaders } from '../connect.ts'
import { controlsBy } from '../controls.ts'
import type { Fetch, FetchOptions } from '../server/fetch-from.ts'
import { checkSessionName, type Session, type Sessions } from './sessions.ts'

/** A session, in code: a client with a copy of the data of its own. */
export interface ClientSession extends RemoteSession {
  fetch(input: string | URL | Request, init?: FetchOptions): Promise<Response>
  /** The session's data as a lodash chain. */
  readonly db: ChainDb
}

export interface SessionWays {
  readonly sessions: Sessions
  readonly routerOf: (session: Session) => RestRouter
  /** As any client. */
  readonly send: Fetch
  /** As the program that runs the server: past its guards. */
  readonly control: Fetch
}

export function clientSession(
  name: string,
  { sessions, routerOf, send, control }: SessionWays,
): ClientSession {
  checkSessionName(name)
  const headers = { [SESSION_HEADER]: name }
  const inside = (way: Fetch): Fetch => {
    return (input, init) => way(input, { ...init, headers: withHeaders(input, init, headers) })
  }
  return {
    ...controlsBy(inside(control)),
    name,
    headers,
    fetch: inside(send),
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

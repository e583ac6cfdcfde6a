import { type ChainDb, chainDbOf } from '../../compat/chain-db.ts'
import { bringUpToDate } from '../../stores/live/live-data.ts'
import type { Engine } from '../engine/engine.ts'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import { SESSION_HEADER } from '../kernel/http/request-context.ts'
import { type Controls, controlsBy } from './controls.ts'
import type { Fetch, FetchOptions } from './server/fetch-from.ts'
import { checkSessionName, type Sessions } from './sessions/sessions.ts'

export interface ConnectOptions {
  /** Sent as `Authorization: Bearer …` with every request: for guards, and for what only admins may do. */
  readonly token?: string
}

/** A session, from anywhere: a client with a copy of the data of its own. */
export interface RemoteSession extends Controls {
  readonly name: string
  /** Send these with a request to make it part of the session. */
  readonly headers: Readonly<Record<string, string>>
  /** Like the global `fetch`, in this session; a path is one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Ends it, and frees its memory. */
  close(): Promise<void>
}

/** A server in another process. */
export interface RemoteServer extends Controls {
  readonly url: string
  /** Like the global `fetch`; a path is one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  session(name: string): RemoteSession
}

/**
 * The remote control of a server in another process.
 * @example
 * const api = connect('http://localhost:3000')
 * await api.clock.advance('1h')
 * const worker = api.session('worker-1')
 * await worker.create('posts', { title: 'Hello' })
 */
export function connect(url: string, { token }: ConnectOptions = {}): RemoteServer {
  const { href, origin } = new URL(url)
  const root = href.replace(/\/$/, '')
  const direct: Fetch = (input, init) => {
    const request = new Request(
      typeof input === 'string' && input.startsWith('/') ? root + input : input,
      init,
    )
    return request.redirect === 'follow' ? follow(request) : fetch(request)
  }
  const toServer: SendTo = (input) =>
    new URL(input instanceof Request ? input.url : input, root).origin === origin
  const send =
    token === undefined ? direct : withHeaders(direct, { Authorization: `Bearer ${token}` }, toServer)
  return {
    url: root,
    fetch: send,
    session: (name) => sessionBy(name, send, send, toServer),
    ...controlsBy(send),
  }
}

/** Follows redirects without naming the session to another host: `fetch` keeps only `Authorization` from it. */
async function follow(request: Request, left = 20): Promise<Response> {
  const again = request.clone()
  const response = await fetch(request, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (!REDIRECTS.has(response.status) || location === null) return response
  await response.body?.cancel()
  if (left === 0) throw new TypeError('fetch failed: too many redirects')
  const to = new URL(location, request.url)
  const isRead = response.status === 303 || (response.status < 303 && request.method === 'POST')
  const { headers, signal } = again
  const next = new Request(to, isRead ? { headers, signal } : again)
  if (to.origin !== new URL(request.url).origin)
    for (const name of [SESSION_HEADER, 'Authorization']) next.headers.delete(name)
  return follow(next, left - 1)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * @param control sends what changes the server itself
 * @param isOwn where the session's name may be sent to
 */
function sessionBy(name: string, send: Fetch, control: Fetch, isOwn?: SendTo): RemoteSession {
  checkSessionName(name)
  const headers = { [SESSION_HEADER]: name }
  return {
    ...controlsBy(withHeaders(control, headers)),
    name,
    headers,
    fetch: withHeaders(send, headers, isOwn),
    async close() {
      const end = (by: Fetch) => by(`/__sessions/${name}`, { method: 'DELETE' })
      const { status } = await end(withHeaders(control, headers))
      // An admin's token of the base is none in a session.
      if (status === 401) await end(control)
    },
  }
}

/** A session, in code: a client with a copy of the data of its own. */
export interface ClientSession extends RemoteSession {
  fetch(input: string | URL | Request, init?: FetchOptions): Promise<Response>
  /** The session's data as a lodash chain. */
  readonly db: ChainDb
}

interface ClientSessionOptions {
  readonly sessions: Sessions
  /** The engine that sessions are copies of. */
  readonly base: Engine
  /** As any client. */
  readonly send: Fetch
  /** As the program that runs the server: past its guards. */
  readonly control: Fetch
}

export function clientSession(
  name: string,
  { sessions, base, send, control }: ClientSessionOptions,
): ClientSession {
  return {
    ...sessionBy(name, send, control),
    get db() {
      const before = sessions.peek(name)
      const session = sessions.open(name)
      if (!session) throw new ConfigError(`session: there is no room for ${name}. End others first.`)
      if (session !== before) bringUpToDate(session.engine, base)
      return chainDbOf(session.engine)
    },
    async reset() {
      await sessions.reset(name)
    },
    async close() {
      sessions.end(name)
    },
  }
}

type SendTo = (input: string | URL | Request) => boolean

/** Sends requests with these headers, too, unless they go to somebody else. */
function withHeaders(send: Fetch, added: Readonly<Record<string, string>>, isOwn?: SendTo): Fetch {
  return (input, init) => {
    if (isOwn?.(input) === false) return send(input, init)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    for (const [name, value] of Object.entries(added)) headers.set(name, value)
    return send(input, { ...init, headers })
  }
}

import { type ChainDb, chainDbOf } from '../compat/chain-db.ts'
import type { Engine } from '../core/engine/engine.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import {
  SCENARIO_HEADER,
  SERVER_ITSELF,
  SESSION_HEADER,
  USER_HEADER,
} from '../core/kernel/http/request-context.ts'
import { isWorldName } from '../core/kernel/http/world.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { attempt } from '../core/kernel/util/attempt.ts'
import { type Beginnings, isRefused } from '../features/beginnings.ts'
import type { Worlds } from '../features/worlds.ts'
import { bringUpToDate } from '../stores/live/live-data.ts'
import { type Controls, controlsBy, failureOf } from './controls.ts'
import type { Fetch, FetchOptions } from './server/fetch-from.ts'

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
  /**
   * A client of the session that acts as a user of the layer `accounts`, by email or username. Its first request rejects if
   * that is nobody.
   * @example const orders = await api.as('ada@example.com').fetch('/orders')
   */
  as(user: string): RemoteSession
  /** Ends it, and frees its memory. */
  close(): Promise<void>
}

/** A server in another process. */
export interface RemoteServer extends Controls {
  readonly url: string
  /** Like the global `fetch`; a path is one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** @example const empty = api.session('worker-1', { scenario: 'empty' }) */
  session(name: string, options?: SessionOptions): RemoteSession
}

export interface SessionOptions {
  /** How it begins: a name of the setting `scenarios`, or several, by comma. As the base is, without it. */
  readonly scenario?: string | undefined
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
  const login = loginIn(token)
  // A login is one of the base, or of a session. Others refuse its token.
  const inSession = login && login.session === undefined ? direct : send
  const door: SessionDoor = {
    send: inSession,
    control: inSession,
    sendAs: inSession,
    sendToBase: send,
    isOwn: toServer,
    isUser: login?.session !== undefined,
    needsPersona: true,
  }
  return {
    url: root,
    fetch: send,
    session: (name, options) => sessionBy(name, door, options),
    ...controlsBy(send),
  }
}

/** The claims of a token of the layer `accounts`. */
function loginIn(token = ''): { readonly session?: unknown } | undefined {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const claims: unknown = attempt(() => JSON.parse(payload))
  return isObject(claims) && claims.kind === 'access' && 'chain' in claims ? claims : undefined
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
    for (const name of [SESSION_HEADER, SCENARIO_HEADER, USER_HEADER, 'Authorization'])
      next.headers.delete(name)
  return follow(next, left - 1)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** How a session is reached. */
interface SessionDoor {
  readonly send: Fetch
  /** Sends what changes the server itself. */
  readonly control: Fetch
  /** Sends requests that act as a user. */
  readonly sendAs: Fetch
  readonly sendToBase: Fetch
  /** Where the session's name may be sent to. */
  readonly isOwn?: SendTo
  /** Whether requests are from a user already. */
  readonly isUser?: boolean
  /** Whether acting as a user takes a setting. */
  readonly needsPersona?: boolean
}

function sessionBy(name: string, door: SessionDoor, options: SessionOptions = {}): RemoteSession {
  if (!isWorldName(name)) {
    throw new ConfigError(
      `session: ${JSON.stringify(name)} is not a name. Use 1 to 64 letters, digits, dots, hyphens and underscores.`,
    )
  }
  const { send, control, sendAs, sendToBase, isOwn } = door
  const { scenario } = options
  const headers = { [SESSION_HEADER]: name, ...(scenario !== undefined && { [SCENARIO_HEADER]: scenario }) }
  const controlHere = withHeaders(control, headers)
  const grow = door.isUser ? controlHere : withHeaders(controlHere, { [USER_HEADER]: SERVER_ITSELF })
  return {
    ...controlsBy(controlHere, grow),
    name,
    headers,
    fetch: withHeaders(send, headers, isOwn),
    as(user) {
      const own = { ...headers, [USER_HEADER]: user }
      const sendOwn = withHeaders(sendAs, own, isOwn)
      const acting = onceChecked(sendOwn, () => checkUser(user, sendOwn, door.needsPersona))
      const client = sessionBy(name, { ...door, send: acting, control: acting, isUser: true }, options)
      return { ...client, headers: own }
    },
    async close() {
      const end = (by: Fetch) => by(`/__sessions/${name}`, { method: 'DELETE' })
      const { status } = await end(controlHere)
      // An admin's token of the base is none in a session.
      if (status === 401) await end(sendToBase)
    },
  }
}

/** Rejects if requests cannot act as this user. */
async function checkUser(user: string, send: Fetch, needsPersona = false): Promise<void> {
  const response = await send('/__service')
  if (!response.ok) throw await failureOf(response, 'GET /__service')
  const service: unknown = await response.json()
  if (!needsPersona || (isObject(service) && 'personas' in service)) return
  throw new ConfigError(
    `as(${JSON.stringify(user)}): this server lets nobody act as a user. Set "accounts": { "persona": true } there, with "accounts" in "middlewares".`,
  )
}

/** Sends requests once a check has passed. */
function onceChecked(send: Fetch, check: () => Promise<void>): Fetch {
  let isChecked = false
  return async (input, init) => {
    if (!isChecked) await check()
    isChecked = true
    return send(input, init)
  }
}

/** A session, in code: a client with a copy of the data of its own. */
export interface ClientSession extends RemoteSession {
  fetch(input: string | URL | Request, init?: FetchOptions): Promise<Response>
  /** The session's data as a lodash chain. */
  readonly db: ChainDb
}

interface ClientSessionOptions extends SessionOptions {
  readonly worlds: Worlds
  readonly beginnings: Beginnings | undefined
  /** The engine of the base. */
  readonly base: Engine
  /** As any client. */
  readonly send: Fetch
  /** As the program that runs the server: past its guards. */
  readonly control: Fetch
  /** As any user. */
  readonly sendAs: Fetch
}

export function clientSession(
  name: string,
  { worlds, beginnings, scenario, base, send, control, sendAs }: ClientSessionOptions,
): ClientSession {
  const beginning = scenario === undefined ? undefined : (beginnings?.find(scenario) ?? NO_SCENARIOS)
  if (beginning && isRefused(beginning)) throw new ConfigError(beginning.message)
  return {
    ...sessionBy(name, { send, control, sendAs, sendToBase: control }, { scenario }),
    get db() {
      const before = worlds.peek(name)
      const world = worlds.open(name, beginning)
      if (!world) throw new ConfigError(`session: there is no room for ${name}. End others first.`)
      // Of a scenario, the data was copied already.
      if (world !== before && !beginning) bringUpToDate(world.engine, base)
      return chainDbOf(world.engine)
    },
    async reset() {
      await worlds.reset(name)
    },
    async close() {
      worlds.end(name)
    },
  }
}

const NO_SCENARIOS = {
  code: 'UNKNOWN_SCENARIO',
  message: 'session: this server has no scenarios. Describe them in "scenarios".',
} as const

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

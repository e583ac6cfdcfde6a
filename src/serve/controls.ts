import type { Row } from '../core/engine/types.ts'
import { ResponseError } from '../core/kernel/catalogue/error-classes.ts'
import type { Exchange } from '../core/kernel/catalogue/exchange.ts'
import type { FaultRule, FaultSettings, FaultsInfo } from '../core/kernel/catalogue/faults-info.ts'
import type { GrownRows } from '../core/kernel/catalogue/grown-rows.ts'
import type { ShownChange } from '../core/kernel/catalogue/shown-change.ts'
import { isObject } from '../core/kernel/json/values.ts'
import type { ClockFace, ClockSetting } from '../core/kernel/util/clock.ts'

/** The controls of a server, or of a session, for tests: in the same process or in another one. */
export interface Controls extends ServerControls {
  /** The server's clock. */
  readonly clock: ClockControls
}

export interface ServerControls {
  /** Puts the data back to the beginning; that of a session, to what it was a copy of. */
  reset(): Promise<void>
  /** Takes back the newest change that is not undone, or all after version `to`. Resolves with their versions. */
  undo(options?: { readonly to?: number }): Promise<readonly number[]>
  /** Makes again what was undone. Resolves with the versions. */
  redo(options?: { readonly to?: number }): Promise<readonly number[]>
  /**
   * Inserts a row, with what the schema requires and what all other rows have filled in, and with missing parents, in
   * one change. Resolves with what is stored.
   * @example const post = await server.create('posts', { title: 'Hello' })
   */
  create(resource: string, fields?: Row): Promise<Row>
  /** @example await server.createMany('posts', 20, (at) => ({ title: `Post ${at}` })) */
  createMany(resource: string, count: number, fieldsOf?: (at: number) => Row): Promise<readonly Row[]>
  /**
   * Adds rows like those that are there, in one change. Resolves with how many, missing parents included.
   * @example await server.grow({ products: 500 }, { seed: 7 })
   */
  grow(
    counts: Readonly<Record<string, number>>,
    options?: { readonly seed?: number },
  ): Promise<Readonly<Record<string, number>>>
  /** The last changes, newest first. */
  history(options?: { readonly limit?: number; readonly before?: number }): Promise<readonly HistoryEntry[]>
  /**
   * The last requests that clients sent, newest first: what was sent, to assert on.
   * @example const [order] = await api.requests({ method: 'POST', path: '/orders' })
   */
  requests(options?: RequestsOptions): Promise<readonly Exchange[]>
  /** Which requests fail on purpose. */
  readonly faults: FaultControls
}

export interface RequestsOptions {
  readonly method?: string
  /** As in rewrite rules, of the URL that the client sent: `/orders/*`. */
  readonly path?: string
  readonly status?: number
  /** The `id` of the last entry that is known already. */
  readonly since?: number
  readonly limit?: number
}

export interface ClockControls {
  /** Milliseconds since 1970. */
  now(): Promise<number>
  readonly face: Promise<ClockFace>
  set(setting: ClockSetting): Promise<void>
  freeze(): Promise<void>
  /** @example await api.clock.advance('1h') */
  advance(by: string | number): Promise<void>
  reset(): Promise<void>
}

export interface FaultControls {
  list(): Promise<FaultsInfo>
  /** Puts a rule in front of the others. */
  add(rule: FaultRule): Promise<FaultsInfo>
  set(settings: FaultSettings): Promise<FaultsInfo>
  remove(id: number): Promise<FaultsInfo>
  /** Back to the rules of the config. */
  reset(): Promise<FaultsInfo>
}

/** A change, as `GET /__history` shows it. */
export interface HistoryEntry {
  readonly version: number
  readonly at: string
  readonly method: string | null
  readonly url: string | null
  readonly session: string | null
  readonly undone?: true
  readonly changes: readonly ShownChange[]
}

/**
 * By requests to the server's own endpoints, whichever way they get there.
 * @param grow sends those that add rows
 */
export function controlsBy(send: Send, grow: Send = send): Controls {
  const call = callBy(send)
  const callGrow = callBy(grow)
  const face = () => call<ClockFace>('GET', CLOCK)
  const growRows = (wanted: object, { seed }: { readonly seed?: number } = {}) =>
    callGrow<GrownRows>('POST', `/__grow${seed === undefined ? '' : `?seed=${seed}`}`, wanted)
  const createMany: Controls['createMany'] = async (resource, count, fieldsOf = () => ({})) => {
    if (!Number.isSafeInteger(count) || count < 0 || typeof fieldsOf !== 'function')
      throw new TypeError(
        'createMany takes a resource, a number, and a function that gives the fields of each row.',
      )
    const wanted = { [resource]: Array.from({ length: count }, (_, at) => fieldsOf(at)) }
    return (await growRows(wanted)).rows[resource] ?? []
  }
  return {
    async reset() {
      await call('POST', '/__reset')
    },
    undo: async (options = {}) =>
      (await call<{ undone: readonly number[] }>('POST', '/__undo', options)).undone,
    redo: async (options = {}) =>
      (await call<{ redone: readonly number[] }>('POST', '/__redo', options)).redone,
    history({ limit, before } = {}) {
      const query = new URLSearchParams({
        ...(limit !== undefined && { _limit: String(limit) }),
        ...(before !== undefined && { _before: String(before) }),
      })
      return call('GET', `/__history?${query}`)
    },
    requests({ limit, ...others } = {}) {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries({ _limit: limit, ...others }))
        if (value !== undefined) query.set(name, String(value))
      return call('GET', `/__requests?${query}`)
    },
    clock: {
      now: async () => Date.parse((await face()).now),
      get face() {
        return face()
      },
      set: async (setting) => void (await call('PUT', CLOCK, setting)),
      freeze: async () => void (await call('PUT', CLOCK, { frozen: true })),
      advance: async (by) => void (await call('POST', `${CLOCK}/advance`, { by })),
      reset: async () => void (await call('DELETE', CLOCK)),
    },
    faults: {
      list: () => call('GET', FAULTS),
      add: (rule) => call('POST', FAULTS, rule),
      set: (settings) => call('PUT', FAULTS, settings),
      remove: (id) => call('DELETE', `${FAULTS}/${id}`),
      reset: () => call('DELETE', FAULTS),
    },
    async create(resource, fields = {}) {
      const [row = {}] = await createMany(resource, 1, () => fields)
      return row
    },
    createMany,
    grow: async (counts, options) => (await growRows(counts, options)).created,
  }
}

const CLOCK = '/__clock'
const FAULTS = '/__faults'

type Send = (path: string, init: RequestInit) => Promise<Response>

/** Sends JSON, and resolves with the JSON of the response. Rejects with a `ResponseError` if that is a refusal. */
type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

function callBy(send: Send): Call {
  return async (method, path, body) => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const response = await send(path, { method, headers, body: JSON.stringify(body) ?? null })
    if (response.ok && isJson(response)) return JSON.parse(await response.text())
    throw await failureOf(response, `${method} ${path}`)
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}

/** The refusal of a request as an error. */
export async function failureOf(response: Response, request: string): Promise<ResponseError> {
  const { status } = response
  const body: unknown = isJson(response) ? await response.json() : await response.text()
  const { message, code, errors } = isObject(body) ? body : {}
  const came = `${request}: the response has the status ${status}${response.ok ? ' and is not JSON' : ''}`
  return new ResponseError(status, typeof code === 'string' ? code : String(status), {
    message: typeof message === 'string' ? message : came,
    ...(isObject(errors) && { errors }),
  })
}

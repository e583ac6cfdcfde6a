import { batch, computed, signal } from '@preact/signals'
import type { Exchange } from '../../core/kernel/catalogue/exchange.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { caller, callerHeaders } from './caller.ts'
import { readEvents, type StreamEvent } from './event-stream.ts'
import { FAULTS, loadFaults } from './faults.ts'
import { isUnreachable, recordOutcome } from './outcomes.ts'
import { absolute, send } from './send.ts'
import { loadMe, loadService, resources } from './service.ts'
import { session } from './session.ts'

/** Whether the server streams events: connected, waiting to connect, or not supported. */
export const liveState = signal<'waiting' | 'live' | 'unsupported'>('waiting')

/** Nothing responds. A request alone may fail on purpose, but not while events arrive. */
export const isGone = computed(() => isUnreachable.value && liveState.value !== 'live')

/** The last requests, oldest first. */
export const exchanges = signal<readonly Exchange[]>([])

/** Number of changes per resource; `*` counts moments after which anything may have changed. */
export const revisions = signal<Readonly<Record<string, number>>>({})

/** More than the server stores. */
const MOST_EXCHANGES = 500

/** Stays connected as long as the page is open. */
export async function stayLive(): Promise<void> {
  session.subscribe(() => {
    stream.abort()
    exchanges.value = []
  })
  for (let failures = 0; liveState.value !== 'unsupported'; failures += 1) {
    const connected = session.peek()
    const wait = await listen().catch((error: unknown) => {
      // Not when a stream is cut or given up: the next attempt shows whether the server is gone.
      if (liveState.value !== 'live' && !(error instanceof DOMException)) isUnreachable.value = true
      return 0
    })
    if (liveState.value === 'live') {
      liveState.value = 'waiting'
      failures = 0
    }
    if (session.peek() === connected && !isUserChanged)
      await waitForRetry(Math.max(wait, Math.min(500 * 2 ** failures, 8000)))
  }
}

/** Connects as another user, and loads everything again: they may see other rows. */
export function reconnect(): void {
  if (liveState.value !== 'live') reloadAll()
  isUserChanged = true
  stream.abort()
}

/** Counts a change of this page where the server does not stream them. */
export function recordChange(resource: string): void {
  if (liveState.value === 'live') return
  bump(resource)
  void loadService()
}

export function reloadAll(): void {
  bump('*')
  void loadService()
}

/** Changes whenever rows of the resource may have changed. */
export function revisionOf(resource: string): string {
  return `${revisions.value[resource] ?? 0}.${revisions.value['*'] ?? 0}`
}

export function revisionOfAll(): string {
  return Object.values(revisions.value).join('.')
}

/** Listens until the stream ends; resolves to the milliseconds to wait before reconnecting. */
async function listen(): Promise<number> {
  stream = new AbortController()
  isUserChanged = false
  const response = await fetch(absolute('/__events'), {
    headers: callerHeaders(),
    cache: 'no-store',
    signal: stream.signal,
  })
  isUnreachable.value = false
  if (response.status === 404) liveState.value = 'unsupported'
  // Refreshes a token that has expired.
  if (response.status === 401) await loadMe()
  if (!response.ok || response.body === null) {
    return Number(response.headers.get('retry-after') ?? 0) * 1000
  }
  batch(() => {
    liveState.value = 'live'
    exchanges.value = []
    // What was loaded before may have changed meanwhile.
    reloadAll()
  })
  void loadExchanges()
  void loadFaults()
  for await (const event of readEvents(response.body)) handleEvent(event)
  return 0
}

/** The requests from before, where this page may see them. */
async function loadExchanges(): Promise<void> {
  const current = session.peek()
  const { data } = await send('GET', '/__requests', { isRaw: true })
  if (Array.isArray(data) && session.peek() === current) addExchanges(data.filter(isExchange))
}

function isExchange(value: unknown): value is Exchange {
  return isObject(value) && typeof value.id === 'number' && isObject(value.requestHeaders)
}

/** Of two that tell of one request, the newer has its response. */
function addExchanges(older: readonly Exchange[], newer = exchanges.value): void {
  const byId = new Map([...older, ...newer].map((one) => [one.id, one]))
  exchanges.value = [...byId.values()].sort((one, other) => one.id - other.id).slice(-MOST_EXCHANGES)
}

let isUserChanged = false
let stream = new AbortController()

/** Waits, unless new credentials or another session arrive first. */
function waitForRetry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    const current = caller.peek()
    const unsubscribe = caller.subscribe((value) => value !== current && done())
    function done(): void {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
}

function handleEvent({ type, data }: StreamEvent): void {
  if (type === 'request') {
    const exchange: Exchange = JSON.parse(data)
    addExchanges(exchanges.value, [exchange])
    recordOutcome(exchange)
    if (exchange.method !== 'GET' && exchange.path.startsWith(FAULTS)) void loadFaults()
  } else if (type === 'change') {
    const change: { resources: readonly { name: string; count?: number }[] } = JSON.parse(data)
    batch(() => change.resources.forEach(handleChange))
  } else if (type === 'service') void loadService()
}

function handleChange({ name, count }: { name: string; count?: number }): void {
  bump(name)
  const old = resources.value.find((resource) => resource.name === name)
  // A resource that was added, removed or changed kind needs more than a new count.
  if (old === undefined || (old.count === null) !== (count === undefined)) void loadService()
  else if (count !== undefined && count !== old.count) {
    resources.value = resources.value.map((resource) => (resource === old ? { ...old, count } : resource))
  }
}

function bump(name: string): void {
  revisions.value = { ...revisions.value, [name]: (revisions.value[name] ?? 0) + 1 }
}

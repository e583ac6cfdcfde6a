import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { revisionOf } from '../client/live.ts'
import { session } from '../client/session.ts'
import type { Id } from './keys.ts'
import { findRows, listById, type NamedRow } from './named-rows.ts'

interface Loaded {
  readonly name: string | undefined
  /** Of the collection, when the name was loaded. */
  readonly version: string
}

const loaded = signal<ReadonlyMap<string, Loaded>>(new Map())

/** More are dropped, and loaded again when they are shown again. */
const MOST_NAMES = 10_000

/** Ids per request: a longer URL is refused by some servers. */
const MOST_IDS = 100

/** Throttle: changes this close together cause one request. */
const SETTLE_MS = 150

/**
 * The name of a row of any collection, up to date; undefined until it is loaded, and if there is no such row. What is
 * rendered together is loaded together.
 */
export function useName(resource: string, id: Id): string | undefined {
  const key = cacheKey(resource, id)
  const version = versionOf(resource)
  const known = loaded.value.get(key)
  useEffect(() => {
    if (id === '' || known?.version === version) return
    pending.set(resource, (pending.get(resource) ?? new Set()).add(String(id)))
    schedule(known === undefined ? 0 : SETTLE_MS)
  }, [key, version])
  return known?.name
}

const pending = new Map<string, Set<string>>()
let isScheduled = false

function schedule(ms: number): void {
  if (!isScheduled) setTimeout(loadPending, ms)
  isScheduled = true
}

async function loadPending(): Promise<void> {
  const requested = [...pending]
  pending.clear()
  await Promise.all(requested.map(([resource, ids]) => loadNames(resource, [...ids])))
  isScheduled = false
  if (pending.size > 0) schedule(SETTLE_MS)
}

async function loadNames(resource: string, ids: readonly string[]): Promise<void> {
  const version = versionOf(resource)
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const chunk = ids.slice(at, at + MOST_IDS)
    const rows = await listById(resource, chunk)
    if (rows === undefined) return
    const names = new Map(rows.map(({ id, name }) => [String(id), name]))
    record(chunk.map((id) => [cacheKey(resource, id), { name: names.get(id), version }]))
  }
}

/** Rows by name, as `findRows` does; what is chosen of them is named without another request. */
export async function searchRows(resource: string, text: string): Promise<readonly NamedRow[] | undefined> {
  const version = versionOf(resource)
  const rows = await findRows(resource, text)
  record((rows ?? []).map(({ id, name }) => [cacheKey(resource, id), { name, version }]))
  return rows
}

function record(entries: readonly (readonly [string, Loaded])[]): void {
  loaded.value = new Map([...(loaded.value.size < MOST_NAMES ? loaded.value : []), ...entries])
}

function cacheKey(resource: string, id: Id): string {
  return JSON.stringify([resource, String(id)])
}

function versionOf(resource: string): string {
  return `${session.value ?? ''} ${revisionOf(resource)}`
}

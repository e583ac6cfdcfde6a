import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { revisionOf } from '../client/live.ts'
import { pathOf, withQuery } from '../client/query.ts'
import { isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { session } from '../client/session.ts'
import { type Id, isId } from './keys.ts'
import { isName, NAME_FIELDS, nameOf, type Row, rowsOf } from './rows.ts'

/** A row as people choose it. */
interface NamedRow {
  readonly id: Id
  readonly name: string
}

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
    const rows = await list(
      resource,
      chunk.map((id) => [idField(resource), id]),
    )
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

/** The fields with names that rows of a collection were seen with. */
const seenFields = new Map<string, readonly string[]>()

const MOST_FOUND = '20'

/**
 * The first rows with such an id or a name that contains the text, those first whose name begins with it; otherwise rows
 * with the text anywhere.
 */
async function findRows(resource: string, text: string): Promise<readonly NamedRow[] | undefined> {
  const limit = ['_limit', MOST_FOUND] as const
  if (text === '' || !seenFields.has(resource)) {
    const first = await list(resource, [limit])
    if (text === '' || first === undefined) return first
  }
  const fields = seenFields.get(resource) ?? []
  const lists = (['startsWith', 'contains'] as const).map((operator) => {
    const byName = fields.map((field) => ({ [field]: { [operator]: text } }))
    const where = JSON.stringify({ or: [{ [idField(resource)]: text }, ...byName] })
    return list(resource, [limit, ['_where', where], ['_sort', fields[0] ?? idField(resource)]])
  })
  const [starting, containing] = await Promise.all(lists)
  if (!starting || !containing) return undefined
  const merged = new Map([...starting, ...containing].map((row) => [row.id, row]))
  return merged.size === 0
    ? list(resource, [limit, ['q', text]])
    : [...merged.values()].slice(0, Number(MOST_FOUND))
}

/**
 * The rows that a query finds; undefined if the server refuses.
 * @param isWhole whether to load all fields of the rows: those with names are not known yet, or not enough
 */
async function list(
  resource: string,
  parameters: readonly (readonly [string, string])[],
  isWhole = !seenFields.has(resource),
): Promise<readonly NamedRow[] | undefined> {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]))
  const known = seenFields.get(resource) ?? []
  // Not all that may name a row: a strict server refuses fields that no row has.
  if (!isWhole) query.set('_fields', [idField(resource), ...known].join())
  const response = await send('GET', withQuery(pathOf(resource), query.toString()), { isRaw: true })
  const rows = rowsOf(response)
  if (!isOk(response) || rows === undefined) {
    seenFields.delete(resource)
    return undefined
  }
  if (!isWhole && !rows.every(hasName)) return list(resource, parameters, true)
  const seen = NAME_FIELDS.filter((field) => known.includes(field) || rows.some((row) => isName(row[field])))
  if (seen.length > 0) seenFields.set(resource, seen)
  return rows.flatMap((row) => {
    const id = row[idField(resource)]
    return isId(id) ? [{ id, name: nameOf(row, id) }] : []
  })
}

function hasName(row: Row): boolean {
  return NAME_FIELDS.some((field) => isName(row[field]))
}

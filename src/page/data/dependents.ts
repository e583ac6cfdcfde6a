import pluralize from 'pluralize'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { pathOf, withQuery } from '../client/query.ts'
import { headerOf, isOk, send } from '../client/send.ts'
import { idField, resources, service } from '../client/service.ts'
import { idOf, rowsOf } from './rows.ts'

/** The rows that are deleted along with a row. */
export interface Dependents {
  readonly counts: ReadonlyMap<string, number>
  /** There may be more: some could not be counted. */
  readonly isPartial: boolean
}

/** Rows fetched at a time, and ids per request. */
const MOST_ROWS = 1000
const MOST_IDS = 100

/** Rows that the server samples to find fields: it has seen all of a smaller collection. */
const SAMPLE = 50

/** Counts the rows that reference a row, the rows that reference those, and so on, as a cascading DELETE does. */
export async function countDependents(resource: string, id: string): Promise<Dependents> {
  const seen = new Map<string, Set<string>>([[resource, new Set([id])]])
  const counts = new Map<string, number>()
  let isPartial = false
  const pending = [{ resource, ids: [id] }]
  for (let parents = pending.shift(); parents !== undefined; parents = pending.shift()) {
    const key = `${pluralize.singular(parents.resource)}${service.value?.foreignKeySuffix ?? 'Id'}`
    for (const { name } of resources.value.filter((other) => mayHave(other, key))) {
      const children = await rowsWith(name, key, parents.ids)
      const counted = seen.get(name) ?? new Set()
      const fresh = children.ids.filter((one) => !counted.has(one))
      const added = children.total - (children.ids.length - fresh.length)
      isPartial ||= children.isPartial
      if (added > 0) counts.set(name, (counts.get(name) ?? 0) + added)
      seen.set(name, new Set([...counted, ...fresh]))
      for (let at = 0; at < fresh.length; at += MOST_IDS) {
        pending.push({ resource: name, ids: fresh.slice(at, at + MOST_IDS) })
      }
    }
  }
  return { counts, isPartial }
}

function mayHave({ name, kind, count, relations }: ResourceInfo, key: string): boolean {
  if (kind !== 'collection' || count === 0 || key === idField(name)) return false
  return (count ?? 0) > SAMPLE || relations.some(({ field }) => field === key)
}

async function rowsWith(resource: string, key: string, ids: readonly string[]) {
  const query = new URLSearchParams([...ids.map((one) => [key, one]), ['_limit', String(MOST_ROWS)]])
  const response = await send('GET', withQuery(pathOf(resource), query.toString()), { isRaw: true })
  const rows = rowsOf(response)
  if (!isOk(response) || rows === undefined) return { ids: [], total: 0, isPartial: true }
  // The server ignores a filter on a field that no row has: then these are unrelated rows.
  if (rows.some((row) => !ids.includes(String(row[key])))) return { ids: [], total: 0, isPartial: false }
  const total = Number(headerOf(response, 'x-total-count') ?? rows.length)
  return {
    ids: rows.flatMap((row) => idOf(row, idField(resource)) ?? []),
    total,
    isPartial: total > rows.length,
  }
}

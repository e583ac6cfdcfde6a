import pluralize from 'pluralize'
import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { pathOf, withQuery } from '../client/query.ts'
import { headerOf, isOk, send } from '../client/send.ts'
import { resources, service } from '../client/service.ts'
import { idOf, rowsOf } from './rows.ts'

/** What is deleted along with a row. */
export interface Dependents {
  /** Number of rows per collection. */
  readonly counts: ReadonlyMap<string, number>
  /** There may be more: some could not be counted. */
  readonly isPartial: boolean
}

/** Rows fetched at a time, and ids per request. */
const MOST_ROWS = 1000
const MOST_IDS = 100

/** Number of rows the server samples to find fields: in a collection no larger than this, it has seen them all. */
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
      const found = await rowsWith(name, key, parents.ids)
      const known = seen.get(name) ?? new Set()
      const fresh = found.ids.filter((one) => !known.has(one))
      const isAgain = found.ids.length - fresh.length
      isPartial ||= found.isPartial
      if (found.total - isAgain > 0) counts.set(name, (counts.get(name) ?? 0) + found.total - isAgain)
      seen.set(name, new Set([...known, ...fresh]))
      for (let at = 0; at < fresh.length; at += MOST_IDS) {
        pending.push({ resource: name, ids: fresh.slice(at, at + MOST_IDS) })
      }
    }
  }
  return { counts, isPartial }
}

function mayHave({ kind, count, relations }: ResourceInfo, key: string): boolean {
  if (kind !== 'collection' || count === 0) return false
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
  const found = rows.flatMap((row) => idOf(row, service.value?.id ?? 'id') ?? [])
  return { ids: found, total, isPartial: total > rows.length }
}

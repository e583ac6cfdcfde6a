import type { Kind } from '../client/operators.ts'
import { isNested } from '../parts/preview.ts'
import type { Row } from './rows.ts'

/** Fields, and the fields inside them as `locations.city`, with what they hold. */
export type Fields = ReadonlyMap<string, Kind>

/** Number of rows sampled to find out which fields there are. */
const SAMPLE = 100

/** What can be filtered by. */
export function fieldsOf(rows: readonly Row[]): Fields {
  const kinds = new Map<string, Set<Kind>>()
  for (const row of rows.slice(0, SAMPLE)) collect(row, '', 3, kinds)
  return new Map(
    Array.from(kinds, ([path, [first, ...others]]) => [
      path,
      others.length > 0 ? 'mixed' : (first ?? 'mixed'),
    ]),
  )
}

function collect(value: unknown, prefix: string, depth: number, kinds: Map<string, Set<Kind>>): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) collect(item, prefix, depth, kinds)
    return
  }
  if (!isNested(value) || depth === 0) return
  for (const [name, field] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (!isNested(field) || Array.isArray(field)) {
      const kind = kindOf(field)
      const known = kinds.get(path) ?? new Set()
      kinds.set(path, kind === undefined ? known : known.add(kind))
    }
    collect(field, path, depth - 1, kinds)
  }
}

/** Null says nothing about a field. */
function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return DATE.test(value) ? 'date' : 'text'
  return undefined
}

const DATE = /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:)/

import { Pace } from '../../util/pace.ts'
import type { Dependents } from '../change.ts'
import type { Source } from '../data/database.ts'
import { fieldText, type Lookup, lookup } from '../data/lookup.ts'
import type { Naming, Relations, Row } from '../types.ts'
import { pluralOf, singularOf } from '../word-forms.ts'

/** The field that references a row of `parent`: `company_id` for `companies`. */
export function foreignKey(parent: string, { foreignKeySuffix }: Naming): string {
  return `${singularOf(parent)}${foreignKeySuffix}`
}

/** The field that lists the ids of referenced rows: `tag_ids` for `tags`. */
export function listKey(collection: string, naming: Naming): string {
  return `${foreignKey(collection, naming)}s`
}

/** `_embed=a.b.c.d.e` has as many levels as a query may have. */
export const MOST_LEVELS = 5

export function collectionsOf(catalog: Pick<Source, 'kindOf'>, wanted: Relations): readonly string[] {
  // More parts than these are refused.
  const parts = [...wanted.embed, ...wanted.expand].flatMap((name) => [name, ...name.split('.', MOST_LEVELS)])
  const names = new Set([...new Set(parts)].flatMap((name) => [name, pluralOf(name)]))
  return [...names].filter((name) => catalog.kindOf(name) === 'collection')
}

/** Whether a row references the parent with this id, as nested lists compare it. */
export function isChildOf(row: Row, key: string, id: string): boolean {
  return fieldText(row, key) === id
}

export interface Way {
  readonly collection: string
  readonly find: Lookup
  /** Whether it is a rule of the server that they go along. Else the client asks for it. */
  readonly isRule?: boolean
}

export interface Dependent {
  readonly rows: Map<string, Row[]>
  /** Those of them that go by a rule of the server, whatever the client asks for. */
  readonly ruled: ReadonlySet<Row>
}

/**
 * The rows that depend on some rows, directly or indirectly, in the named collections or in all; never those rows.
 * @param waysFrom how those are found that depend on the rows of a collection
 */
export async function dependentsOf(
  source: Source,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
  waysFrom = (parent: string) => waysByName(source, parent, among),
): Promise<Dependent> {
  const dependents = new Map<string, Row[]>()
  const pace = new Pace()
  const known = new Map<string, readonly Way[]>()
  // Rows may reference each other in a cycle.
  const seen = new Set<Row>(rows)
  const ruled = new Set<Row>()
  const pending = rows.map((row) => ({ collection, row }))
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const text = fieldText(parent.row, source.naming.id)
    if (text === undefined) continue
    const ways = known.get(parent.collection) ?? (await waysFrom(parent.collection))
    known.set(parent.collection, ways)
    for (const { collection: name, find, isRule } of ways) {
      for (const child of find(text)) {
        if (isRule) ruled.add(child)
        if (seen.has(child)) continue
        seen.add(child)
        const others = dependents.get(name)
        if (others) others.push(child)
        else dependents.set(name, [child])
        pending.push({ collection: name, row: child })
      }
    }
    if (pace.isDue) await pace.turn()
  }
  return { rows: dependents, ruled }
}

/** By the names of foreign keys, as in json-server: in the named collections, or in all. */
async function waysByName(source: Source, parent: string, among: Dependents): Promise<readonly Way[]> {
  // Includes objects, where nothing is found.
  const names = source.names().filter((name) => among === 'all' || among.includes(name))
  const field = foreignKey(parent, source.naming)
  const ways: Way[] = []
  for (const name of names) ways.push({ collection: name, find: await lookup(source, name, field) })
  return ways
}

import { isObject, isRecord } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { compilePath, hasPath } from '../query/path.ts'
import type { Derivation } from './derived.ts'
import type { Table } from './table.ts'
import type { Tree } from './tree.ts'
import { Branch, type Node } from './tree-nodes.ts'

/** Even if its value is null. */
export function hasField(table: Table, path: string): boolean | Promise<boolean> {
  let node: Node | undefined = table.rows.root
  while (node instanceof Branch) node = node.children[0]
  const first = node?.items[0]
  // The first row nearly always decides.
  if (typeof first === 'object' && first !== null && Object.hasOwn(first, path)) return true
  if (NESTED.test(path)) return table.derive(hasNested(path))
  const names = table.derive(FIELD_NAMES)
  return names instanceof Promise ? names.then((counts) => counts.has(path)) : names.has(path)
}

const NESTED = /[.[]/

function hasNested(text: string): Derivation<boolean> {
  const path = compilePath(text)
  return {
    name: `has ${text}`,
    build: (rows) => someRow(rows, (row) => hasPath(row, path)),
    update(isThere, changes) {
      if (changes.some(({ after }) => after !== undefined && hasPath(after, path))) return true
      const isLost = isThere && changes.some(({ before }) => before !== undefined && hasPath(before, path))
      return isLost ? undefined : isThere
    },
  }
}

/** Copied, or counted, without a pause. With more, as where they are keys of dictionaries, all are counted again, with pauses. */
const MOST_NAMES = 50_000

/** The names of fields: those of rows, and those at any depth in their values. */
export interface FieldNames {
  readonly own: readonly string[]
  readonly inner: readonly string[]
}

/** Names of fields that any row has. */
export async function namesIn(table: Table): Promise<FieldNames> {
  const [own, inner] = [await table.derive(FIELD_NAMES), await table.derive(INNER_NAMES)]
  return { own: [...own.keys()], inner: [...inner.keys()] }
}

type Counts = Map<string, number>

/** How often each name is there: a query may name thousands that no row has. */
const FIELD_NAMES = countedNames('names', (row, count) => {
  const own = isRecord(row) ? Object.keys(row) : Object.getOwnPropertyNames(Object(row))
  for (const name of own) count(name)
})

/** A value that a change leaves as it is may be huge: it is not counted again. */
const INNER_NAMES = countedNames('inner names', (row, count, other) => {
  for (const [name, value] of Object.entries(Object(row))) {
    if (value !== Object(other)[name]) countWithin(value, count)
  }
})

function countWithin(value: unknown, count: (name: string) => void): void {
  if (Array.isArray(value)) for (const entry of value) countWithin(entry, count)
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    count(name)
    countWithin(value[name], count)
  }
}

function countedNames(
  name: string,
  visit: (row: unknown, count: (name: string) => void, other: unknown) => void,
): Derivation<ReadonlyMap<string, number>> {
  const add = (names: Counts, row: unknown, by: 1 | -1, other?: unknown) => {
    let counted = 0
    const count = (found: string) => {
      counted++
      const times = (names.get(found) ?? 0) + by
      if (times > 0) names.set(found, times)
      else names.delete(found)
    }
    visit(row, count, other)
    return counted
  }
  return {
    name,
    async build(rows) {
      const names: Counts = new Map()
      await someRow(rows, (row) => {
        add(names, row, 1)
        return false
      })
      return names
    },
    update(counts, changes) {
      if (counts.size > MOST_NAMES) return undefined
      const names: Counts = new Map(counts)
      let counted = 0
      for (const { before, after } of changes) {
        if (before !== undefined) counted += add(names, before, -1, after)
        if (after !== undefined) counted += add(names, after, 1, before)
        if (counted > MOST_NAMES) return undefined
      }
      return names
    },
  }
}

async function someRow(rows: Tree<unknown>, passes: (row: unknown) => boolean): Promise<boolean> {
  const pace = new TimeSlice()
  for (const leaf of rows.leaves()) {
    for (const row of leaf.items) {
      if (passes(row)) return true
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
  }
  return false
}

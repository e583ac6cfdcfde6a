import { isObject } from '../../json/values.ts'
import type { Commit } from '../data/commit.ts'
import type { Database } from '../data/database.ts'
import { Table } from '../data/table.ts'
import type { FieldFault, RowSchema, Rules } from '../resource-rules.ts'
import type { Row } from '../types.ts'

interface HiddenField {
  readonly value: unknown
  /** How many fields are before it, so that a file keeps its order. */
  readonly position: number
}

type Fields = ReadonlyMap<string, HiddenField>

/** Private, so that `console.log` of a row does not show it either. */
class Hidden {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  static in(row: Row): Fields {
    const hidden: unknown = Reflect.get(row, HIDDEN)
    return hidden instanceof Hidden ? hidden.#fields : NONE
  }
}

/** Enumerable: `{ ...row }` copies it, while whatever lists, compares or writes fields does not see it. */
const HIDDEN = Symbol('hidden')

const NONE: Fields = new Map()

/** Hides fields of a row, with what `seal` makes of their values. The row itself if it has none of them. */
export function hideFields(row: Row, names: readonly string[], seal = (value: unknown) => value): Row {
  const own = names.filter((name) => Object.hasOwn(row, name))
  if (own.length === 0) return row
  const order = Object.keys(row)
  const fields = new Map(Hidden.in(row))
  let shown = row
  for (const name of own) {
    const { [name]: value, ...others } = shown
    fields.set(name, { value: seal(value), position: fields.get(name)?.position ?? order.indexOf(name) })
    shown = others
  }
  return withHiddenMap(shown, fields)
}

export function carryHidden(row: Row, from: Row): Row {
  const carried = Hidden.in(from)
  const own = Hidden.in(row)
  if (carried === own || carried.size === 0) return row
  return withHiddenMap(row, new Map([...carried, ...own]))
}

/** A row as it is stored, with its hidden fields where they were. */
export function withHidden(row: Row): Row {
  const fields = isObject(row) ? Hidden.in(row) : NONE
  if (fields.size === 0) return row
  const entries = Object.entries(row)
  for (const [name, { value, position }] of [...fields].sort(([, a], [, b]) => a.position - b.position)) {
    if (!Object.hasOwn(row, name)) entries.splice(position, 0, [name, value])
  }
  return Object.fromEntries(entries)
}

export function hides(row: Row, path: string): boolean {
  const fields = Hidden.in(row)
  return fields.size > 0 && (fields.has(path) || fields.has(path.split('.', 1)[0] ?? ''))
}

/** Hidden fields were checked when they were sent. */
export function faultsOfStored(schema: RowSchema, row: Row): readonly FieldFault[] {
  return schema.faultsOf(row).filter(({ path }) => !hides(row, path))
}

export function hiddenValue(row: Row, name: string): unknown {
  return Hidden.in(row).get(name)?.value
}

function withHiddenMap(row: Row, fields: Fields): Row {
  return { ...row, [HIDDEN]: new Hidden(fields) }
}

export type HiddenNames = ReadonlyMap<string, readonly string[]>

export function hiddenIn(rules: Rules | undefined): HiddenNames {
  const hidden = [...(rules?.resources ?? [])].map(([name, { hidden = [] }]) => [name, hidden] as const)
  return new Map(hidden.filter(([, names]) => names.length > 0))
}

/** Hides these fields, and shows those that were hidden before. */
export function concealDatabase(database: Database, hidden: HiddenNames, before?: HiddenNames): Database {
  let next = database
  for (const name of new Set([...(before?.keys() ?? []), ...hidden.keys()])) {
    const table = next.table(name)
    if (!table) continue
    const names = hidden.get(name) ?? []
    const rows = table.rows.items()
    const concealed = rows.map((row) => hideOnly(row, names))
    if (rows.some((row, at) => row !== concealed[at])) {
      next = next.with(name, Table.of(concealed, table.rows.ranks()))
    }
  }
  return next
}

export function concealCommit(commit: Commit, hidden: HiddenNames): Commit {
  if (hidden.size === 0 || !commit.effects) return commit
  const effects = commit.effects.map((effect) => {
    const names = hidden.get(effect.name)
    if (effect.kind === 'object' || !names) return effect
    const rows = effect.rows.map(({ rank, before, after }) => ({
      rank,
      ...(before !== undefined && { before: hideOnly(before, names) }),
      ...(after !== undefined && { after: hideOnly(after, names) }),
    }))
    return { ...effect, rows }
  })
  return { ...commit, effects }
}

export function hidesSame(a: HiddenNames, b: HiddenNames): boolean {
  return [...a.keys(), ...b.keys()].every((name) => String(a.get(name) ?? '') === String(b.get(name) ?? ''))
}

function hideOnly(row: Row, names: readonly string[]): Row {
  if (!isObject(row)) return row
  const isOther = [...Hidden.in(row).keys()].some((name) => !names.includes(name))
  return hideFields(isOther ? withHidden(row) : row, names)
}

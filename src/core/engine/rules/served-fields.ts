import { deepCopy, isObject } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Database } from '../data/database.ts'
import type { Commit, Effect } from '../data/store.ts'
import { Table } from '../data/table.ts'
import type { Difference } from '../data/tree.ts'
import type { Computed, FieldFault, ResourceRules, RowSchema, Rules } from '../resource-rules.ts'
import type { Row } from '../types.ts'

/** How rows differ from what is stored, by resource: some fields are hidden, others are computed. */
export type ServedFields = ReadonlyMap<string, Pick<ResourceRules, 'hidden' | 'computed'>>

export function publicFieldsOf(rules: Rules | undefined): ServedFields {
  const all = [...(rules?.resources ?? [])].map(([name, { hidden = [], computed }]) => {
    return [name, { hidden, computed }] as const
  })
  return new Map(all.filter(([, { hidden, computed }]) => hidden.length > 0 || computed))
}

export function isSameFields(a: ServedFields, b: ServedFields): boolean {
  return [...a.keys(), ...b.keys()].every((name) => {
    const [one, other] = [a.get(name), b.get(name)]
    return String(one?.hidden ?? '') === String(other?.hidden ?? '') && one?.computed === other?.computed
  })
}

/** With pauses for other requests. */
export async function servedDatabase(
  database: Database,
  fields: ServedFields,
  pace = new TimeSlice(),
): Promise<Database> {
  let next = database
  for (const [name, each] of fields) {
    const changed: Row[] = []
    for (const row of next.table(name)?.rows.items() ?? []) {
      changed.push(toPublicRow(row, each))
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    next = withRows(next, name, changed)
  }
  return next
}

function withRows(database: Database, name: string, rows: readonly Row[]): Database {
  const table = database.table(name)
  if (!table || table.rows.items().every((row, at) => row === rows[at])) return database
  return database.with(name, Table.of(rows, table.rows.ranks()))
}

/** With pauses for other requests. */
export async function servedCommit(commit: Commit, fields: ServedFields, pace: TimeSlice): Promise<Commit> {
  if (fields.size === 0 || !commit.effects) return commit
  const effects: Effect[] = []
  for (const effect of commit.effects) {
    const own = fields.get(effect.name)
    if (effect.kind === 'object' || !own) {
      effects.push(effect)
      continue
    }
    const rows: Difference<Row>[] = []
    for (const { rank, before, after } of effect.rows) {
      rows.push({ rank, before: before && toPublicRow(before, own), after: after && toPublicRow(after, own) })
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    effects.push({ ...effect, rows })
  }
  return { ...commit, effects }
}

function toPublicRow(row: Row, { hidden = [], computed }: Pick<ResourceRules, 'hidden' | 'computed'>): Row {
  if (!isObject(row)) return row
  // What an edited file has under the name of a computed field stays in the file.
  const names = [...hidden, ...Object.keys(computed ?? {})]
  return withComputed(hideOnly(withoutComputed(row), names), computed)
}

interface HiddenField {
  readonly value: unknown
  /** How many fields of the stored row are before it, so that a file keeps its order. */
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
  const order = Object.keys(toStoredRow(row))
  const fields = new Map(Hidden.in(row))
  let shown = row
  for (const name of own) {
    const { [name]: value, ...others } = shown
    fields.set(name, { value: seal(value), position: fields.get(name)?.position ?? order.indexOf(name) })
    shown = others
  }
  return withHiddenMap(shown, fields)
}

export function copyHidden(row: Row, from: Row): Row {
  const carried = Hidden.in(from)
  if (carried.size === 0) return row
  const own = Hidden.in(row)
  const order = Object.keys(toStoredRow(from))
  const left = order.filter((name) => carried.has(name) || Object.hasOwn(row, name))
  if (own === carried && left.length === order.length) return row
  const fields = new Map(own === carried ? NONE : own)
  for (const [name, { value }] of carried) {
    if (!fields.has(name)) fields.set(name, { value, position: left.indexOf(name) })
  }
  return withHiddenMap(row, fields)
}

/** A row as it is stored: with its hidden fields where they were, and without computed ones. */
export function toStoredRow(served: Row): Row {
  if (isObject(served) && !(HIDDEN in served || COMPUTED in served)) return served
  const row = withoutComputed(served)
  const fields = isObject(row) ? Hidden.in(row) : NONE
  if (fields.size === 0) return row
  const entries = Object.entries(row)
  for (const [name, { value, position }] of [...fields].sort(([, a], [, b]) => a.position - b.position)) {
    if (!Object.hasOwn(row, name)) entries.splice(position, 0, [name, value])
  }
  return Object.fromEntries(entries)
}

/** The same as `Object.hasOwn(toStoredRow(row), name)`, without making that row. */
export function isStoredIn(row: Row, name: string): boolean {
  if (!isObject(row)) return false
  return Hidden.in(row).has(name) || (Object.hasOwn(row, name) && !computedIn(row).includes(name))
}

export function hides(row: Row, path: string): boolean {
  const fields = Hidden.in(row)
  return fields.size > 0 && (fields.has(path) || fields.has(path.split('.', 1)[0] ?? ''))
}

/** Hidden fields were checked when they were sent. */
export function faultsOfStored(schema: RowSchema, row: Row): readonly FieldFault[] {
  const faults = faultsBesides(computedIn(row), schema.faultsOf(withoutComputed(row)))
  return faults.filter(({ path }) => !hides(row, path))
}

export function hiddenValue(row: Row, name: string): unknown {
  return Hidden.in(row).get(name)?.value
}

function withHiddenMap(row: Row, fields: Fields): Row {
  return { ...row, [HIDDEN]: new Hidden(fields) }
}

/** Hides exactly these fields. */
function hideOnly(row: Row, names: readonly string[]): Row {
  const isOther = [...Hidden.in(row).keys()].some((name) => !names.includes(name))
  return hideFields(isOther ? toStoredRow(row) : row, names)
}

/** Names of the fields of a row that are not stored. Enumerable, so that `{ ...row }` copies it. */
const COMPUTED = Symbol('computed')

/** The row with its computed fields, which are the last ones. What it has under their names is dropped. */
export function withComputed(row: Row, computed: Computed | undefined): Row {
  if (!computed || !isObject(row)) return row
  const plain = withoutFields(row, Object.keys(computed))
  const next: Row = { ...plain, [COMPUTED]: Object.keys(computed) }
  for (const [name, compute] of Object.entries(computed)) {
    // A copy, which it may change: lists sort in place.
    const value = compute(deepCopy(plain) as Row)
    if (value !== undefined) next[name] = value
  }
  return next
}

function computedIn(row: Row): readonly string[] {
  const names: unknown = isObject(row) ? Reflect.get(row, COMPUTED) : undefined
  return Array.isArray(names) ? names : []
}

/** The row as it is stored. */
function withoutComputed(row: Row): Row {
  const names = computedIn(row)
  if (names.length === 0) return row
  const { [COMPUTED]: _, ...stored } = withoutFields(row, names) as Row & { [COMPUTED]?: unknown }
  return stored
}

/** The faults that are about other fields than these. */
export function faultsBesides(
  names: readonly string[],
  faults: readonly FieldFault[],
): readonly FieldFault[] {
  return faults.filter(({ path }) => !names.some((name) => path === name || path.startsWith(`${name}.`)))
}

export function withoutFields(row: Row, names: readonly string[]): Row {
  if (!names.some((name) => Object.hasOwn(row, name))) return row
  const rest = { ...row }
  for (const name of names) delete rest[name]
  return rest
}

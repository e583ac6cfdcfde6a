import { isRow } from '../is-row.ts'
import type { Row } from '../types.ts'
import type { Relation } from './relation.ts'

/** Makes of a row what an answer shows of it. The row stays as it is. */
export type Shape = (row: Row) => Row

/** The names that paths are made of. */
interface Names {
  readonly parts: Map<string, Names>
  /** Whether a path ends here. */
  isEnd: boolean
}

/**
 * Shows the fields that are named and no others, then leaves out those that are to be left out. Paths go through lists.
 * @param relations were put into the row: they stay whole, unless a path leads into them
 */
export function compileShape(
  fields: readonly string[],
  omit: readonly string[],
  relations: readonly Relation[],
): Shape {
  const picked = toNames(fields)
  const omitted = toNames(omit)
  return (row) => {
    if (!isRow(row)) return row
    const shown = fields.length > 0 ? pickFields(row, picked, relations) : row
    return omit.length > 0 ? omitFields(shown, omitted) : shown
  }
}

function toNames(paths: readonly string[]): Names {
  const all: Names = { parts: new Map(), isEnd: false }
  for (const path of paths) {
    // A field may have a name with dots.
    enter(all, path).isEnd = true
    path.split('.').reduce(enter, all).isEnd = true
  }
  return all
}

function enter({ parts }: Names, name: string): Names {
  const known = parts.get(name)
  if (known) return known
  const next: Names = { parts: new Map(), isEnd: false }
  parts.set(name, next)
  return next
}

function pickFields(row: Row, { parts }: Names, relations: readonly Relation[]): Row {
  const picked: Row = {}
  for (const name of Object.keys(row)) {
    const names = parts.get(name)
    const relation = relations.find((one) => one.name === name)
    if (names ? names.isEnd : relation) put(picked, name, row[name])
    else if (names) {
      const inner = pickWithin(row[name], names, relation?.deeper ?? [])
      if (inner !== undefined) put(picked, name, inner)
    }
  }
  return picked
}

/** Undefined where there is nothing of what is named. */
function pickWithin(value: unknown, names: Names, relations: readonly Relation[]): unknown {
  if (Array.isArray(value)) return pickEntries(value, names, relations)
  if (!isOpen(value)) return undefined
  const picked = pickFields(value, names, relations)
  return Object.keys(picked).length > 0 ? picked : undefined
}

/** What is named of each entry, be it nothing; of one that is named by its number, what is named there. */
function pickEntries(
  list: readonly unknown[],
  names: Names,
  relations: readonly Relation[],
): readonly unknown[] {
  const picked: unknown[] = []
  const others = withoutNumbers(names)
  for (const [at, entry] of list.entries()) {
    const own = names.parts.get(String(at)) ?? others
    if (own.isEnd) picked.push(entry)
    else if (own.parts.size > 0) {
      const inner = pickWithin(entry, own, relations)
      if (inner !== undefined || isOpen(entry)) picked.push(inner ?? {})
    }
  }
  return picked
}

function omitFields(row: Row, { parts }: Names): Row {
  const left: Row = {}
  for (const name of Object.keys(row)) {
    const names = parts.get(name)
    if (!names?.isEnd) put(left, name, names ? omitWithin(row[name], names) : row[name])
  }
  return left
}

function omitWithin(value: unknown, names: Names): unknown {
  if (isOpen(value)) return omitFields(value, names)
  if (!Array.isArray(value)) return value
  const others = withoutNumbers(names)
  return value
    .map((entry: unknown, at) => omitWithin(entry, names.parts.get(String(at)) ?? others))
    .filter((_, at) => !names.parts.get(String(at))?.isEnd)
}

/** What is said of all entries of a list. */
function withoutNumbers({ parts }: Names): Names {
  return { parts: new Map([...parts].filter(([name]) => !/^\d+$/.test(name))), isEnd: false }
}

/** What says itself how it is written, such as a date, has no fields to show. */
function isOpen(value: unknown): value is Row {
  return isRow(value) && typeof value.toJSON !== 'function'
}

/** Defined where an assignment would do something else. */
function put(row: Row, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}

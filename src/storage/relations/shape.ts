import { isObject, setField } from '../../json/values.ts'
import type { Row } from '../types.ts'
import type { Relation } from './resolve-relations.ts'

export type Shape = (row: Row) => Row

/** Picks fields of a row, then omits fields. Paths go through lists. @param relations attached: whole, unless a path leads into them */
export function compileShape(
  fields: readonly string[],
  omit: readonly string[],
  relations: readonly Relation[],
): Shape {
  const picked = fields.length > 0 ? namesOf(fields) : undefined
  const omitted = omit.length > 0 ? namesOf(omit) : undefined
  return (row) => {
    if (!isObject(row)) return row
    const shown = picked ? pickFields(row, picked, relations) : row
    return omitted ? omitFields(shown, omitted) : shown
  }
}

function pickFields(row: Row, { parts }: Names, relations: readonly Relation[]): Row {
  const picked: Row = {}
  for (const name of Object.keys(row)) {
    const names = parts.get(name)
    const relation = relations.find((one) => one.name === name)
    if (names ? names.isEnd : relation) setField(picked, name, row[name])
    else if (names) {
      const inner = pickWithin(row[name], names, relation?.deeper ?? [])
      if (inner !== undefined) setField(picked, name, inner)
    }
  }
  return picked
}

/** Entries of a list stay, even if nothing of them is picked. */
function pickWithin(value: unknown, names: Names, relations: readonly Relation[]): unknown {
  if (isOpen(value)) {
    const picked = pickFields(value, names, relations)
    return Object.keys(picked).length > 0 ? picked : undefined
  }
  if (!Array.isArray(value)) return undefined
  const picked: unknown[] = []
  const namesAt = namesOfEntries(names)
  for (const [at, entry] of value.entries()) {
    const own = namesAt(at)
    if (own.isEnd) picked.push(entry)
    else if (own.parts.size > 0 && typeof entry === 'object') {
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
    if (!names?.isEnd) setField(left, name, names ? omitWithin(row[name], names) : row[name])
  }
  return left
}

function omitWithin(value: unknown, names: Names): unknown {
  if (isOpen(value)) return omitFields(value, names)
  if (!Array.isArray(value)) return value
  const left: unknown[] = []
  const namesAt = namesOfEntries(names)
  for (const [at, entry] of value.entries()) {
    const own = namesAt(at)
    if (!own.isEnd) left.push(typeof entry === 'object' ? omitWithin(entry, own) : entry)
  }
  return left
}

/** A date has no fields to pick. */
function isOpen(value: unknown): value is Row {
  return isObject(value) && typeof value.toJSON !== 'function'
}

interface Names {
  readonly parts: Map<string, Names>
  isEnd: boolean
}

function namesOf(paths: readonly string[]): Names {
  const all: Names = { parts: new Map(), isEnd: false }
  for (const path of paths) {
    // A name may contain dots.
    enter(all, path).isEnd = true
    path.split('.').reduce(enter, all).isEnd = true
  }
  return all
}

/** An index selects one entry; other names apply to all others. */
function namesOfEntries(names: Names): (at: number) => Names {
  const others = [...names.parts].filter(([name]) => !/^\d+$/.test(name))
  if (others.length === names.parts.size) return () => names
  const ofOthers = { parts: new Map(others), isEnd: false }
  return (at) => names.parts.get(String(at)) ?? ofOthers
}

function enter({ parts }: Names, name: string): Names {
  const existing = parts.get(name)
  if (existing) return existing
  const next: Names = { parts: new Map(), isEnd: false }
  parts.set(name, next)
  return next
}

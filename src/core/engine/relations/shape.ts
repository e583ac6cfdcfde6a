import { isObject, setField } from '../../kernel/json/values.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
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
    const shown = picked ? chooseFields(row, picked, true, relations) : row
    return omitted ? chooseFields(shown, omitted, false, []) : shown
  }
}

/** @param isPick whether the names are what is left, or what is left out */
function chooseFields(row: Row, { parts }: Names, isPick: boolean, relations: readonly Relation[]): Row {
  const chosen: Row = {}
  for (const name of Object.keys(row)) {
    const names = parts.get(name)
    const relation = relations.find((one) => one.name === name)
    if (names && !names.isEnd) {
      const inner = chooseWithin(row[name], names, isPick, relation?.deeper ?? [])
      if (inner !== undefined) setField(chosen, name, inner)
    } else if (names ? isPick : !isPick || relation) setField(chosen, name, row[name])
  }
  return chosen
}

/** Entries of a list stay, even if nothing of them is picked. */
function chooseWithin(
  value: unknown,
  names: Names,
  isPick: boolean,
  relations: readonly Relation[],
): unknown {
  if (isOpen(value)) {
    const chosen = chooseFields(value, names, isPick, relations)
    return isPick && Object.keys(chosen).length === 0 ? undefined : chosen
  }
  if (!Array.isArray(value)) return isPick ? undefined : value
  const chosen: unknown[] = []
  const namesAt = namesOfEntries(names)
  for (const [at, entry] of value.entries()) {
    const own = namesAt(at)
    if (!own.isEnd && own.parts.size > 0 && typeof entry === 'object') {
      const inner = chooseWithin(entry, own, isPick, relations)
      if (inner !== undefined || isOpen(entry)) chosen.push(inner === undefined ? {} : inner)
    } else if (own.isEnd === isPick) chosen.push(entry)
  }
  return chosen
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
  return getOrMake(parts, name, () => ({ parts: new Map(), isEnd: false }))
}

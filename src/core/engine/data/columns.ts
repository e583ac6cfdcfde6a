import { isPlainList } from '../../kernel/catalogue/comparisons.ts'
import { fold, keyOf } from '../../kernel/catalogue/text.ts'
import { compilePath, type FieldPath, readPath, somePath, stepInto } from '../query/path.ts'
import type { Row } from '../types.ts'
import { Column, type IndexKey, Mark } from './index.ts'

/** A row without a position in the order of the column: it has a list there, an object, or a very long text. */
export const UNORDERED = new Mark(0)
/** A row with a list in the column: operators on entries need an index of those. */
export const LISTED = new Mark(1)
/** A row with too many values for the index: it may have any. */
export const CROWDED = new Mark(2)

const MOST_VALUES = 200

/** By values at a path, through arrays; a list is one text, as for json-server 0.17.4's operators. */
export const valueColumn = columnsOf('value', keysOfValue)

/** By values at a path, through arrays; a list of scalars by its entries. */
export const entryColumn = columnsOf('entry', keysOfEntries)

export const foldedColumn = columnsOf('folded', keysOfFolded)

/** The path is compiled lazily: nearly always the index exists. */
function columnsOf(kind: string, keysIn: (value: unknown) => readonly IndexKey[]): (path: string) => Column {
  return (text) => {
    let path: FieldPath | undefined
    return new Column(`${kind} ${text}`, (row) => {
      path ??= compilePath(text)
      return path.steps.length === 0 ? keysIn(stepInto(row, path.whole)) : keysAt(row, path, keysIn)
    })
  }
}

export function keysFor(text: string): readonly IndexKey[] {
  const number = Number(text)
  const keys: IndexKey[] = [text]
  if (String(number) === text && !Number.isNaN(number)) keys.push(number)
  if (text === 'true' || text === 'false') keys.push(text === 'true')
  return keys
}

/** Sorting does not enter arrays: where it sees another value than filters, the row has no order. */
function keysAt(
  row: Row,
  path: FieldPath,
  keysIn: (value: unknown) => readonly IndexKey[],
): readonly IndexKey[] {
  const values: unknown[] = []
  const isCrowded = somePath(row, path, (value) => values.push(value) > MOST_VALUES)
  if (isCrowded) return [UNORDERED, LISTED, CROWDED]
  const sorted = readPath(row, path)
  const [only] = values
  const isSame = values.length === 0 ? sorted === null || sorted === undefined : sorted === only
  if (values.length < 2 && isSame) return keysIn(sorted)
  const keys = new Set<IndexKey>([UNORDERED])
  for (const value of values) for (const key of keysIn(value)) keys.add(key)
  return keys.has(CROWDED) || keys.size > MOST_VALUES ? [UNORDERED, LISTED, CROWDED] : [...keys]
}

function keysOfValue(value: unknown): readonly IndexKey[] {
  if (typeof value === 'number' && !Number.isNaN(value)) return [value + 0]
  if (typeof value === 'boolean' || value === null || value === undefined) return [value]
  const text = keyOf(value)
  if (typeof value === 'string') return text === undefined ? [UNORDERED] : [text]
  const marks = Array.isArray(value) ? [UNORDERED, LISTED] : [UNORDERED]
  return text === undefined ? marks : [text, ...marks]
}

function keysOfFolded(value: unknown): readonly IndexKey[] {
  if (value === null || value === undefined) return [value]
  const isPlain = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
  return isPlain && !(keysOfValue(value)[0] instanceof Mark) ? [fold(String(value))] : [UNORDERED]
}

function keysOfEntries(value: unknown): readonly IndexKey[] {
  if (!Array.isArray(value)) return keysOfValue(value)
  if (value.length > MOST_VALUES) return [UNORDERED, LISTED, CROWDED]
  if (!isPlainList(value)) return keysOfValue(value)
  const keys = new Set<IndexKey>([UNORDERED, LISTED])
  for (const entry of value) {
    if (entry !== null && entry !== undefined) for (const key of keysOfValue(entry)) keys.add(key)
  }
  return [...keys]
}

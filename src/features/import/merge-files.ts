import { toText } from '../../core/kernel/catalogue/text.ts'
import { isObject, isSameJson } from '../../core/kernel/json/values.ts'

type Fields = Readonly<Record<string, unknown>>

/** The old value, with all that was missing. */
export interface Merged {
  readonly value: Fields
  /** Rows and settings that are there, and others than those of the import. */
  readonly differing: number
}

/** Collections and rows that are missing. What is there stays as it is. @param ids of the collections that name them otherwise */
export function mergeData(old: Fields, added: Fields, idOf: (name: string) => string): Merged {
  let differing = 0
  const value: Record<string, unknown> = { ...old }
  for (const [name, part] of Object.entries(added)) {
    if (!Object.hasOwn(old, name)) value[name] = part
    else if (isSameJson(old[name], part)) continue
    else if (!Array.isArray(old[name]) || !Array.isArray(part)) differing += 1
    else {
      const merged = mergeRows(old[name], part, idOf(name))
      value[name] = merged.rows
      differing += merged.differing
    }
  }
  return { value, differing }
}

function mergeRows(old: readonly unknown[], added: readonly unknown[], id: string) {
  const idIn = (row: unknown) => (isObject(row) ? toText(row[id]) : '')
  const there = new Map(old.map((row) => [idIn(row), row]))
  const missing = added.filter((row) => !there.has(idIn(row)))
  const same = added.filter((row) => isSameJson(there.get(idIn(row)), row))
  return { rows: [...old, ...missing], differing: added.length - missing.length - same.length }
}

/** Settings that are missing, at any depth. */
export function mergeMissing(old: Fields, added: Fields): Merged {
  let differing = 0
  const value: Record<string, unknown> = { ...old }
  for (const [key, setting] of Object.entries(added)) {
    const there = old[key]
    if (!Object.hasOwn(old, key)) value[key] = setting
    else if (isSameJson(there, setting)) continue
    else if (isObject(there) && isObject(setting) && !OF_ONE_PIECE.has(key)) {
      const merged = mergeMissing(there, setting)
      value[key] = merged.value
      differing += merged.differing
    } else differing += 1
  }
  return { value, differing }
}

/** Settings whose parts belong together. */
const OF_ONE_PIECE: ReadonlySet<string> = new Set(['schema', 'shape'])

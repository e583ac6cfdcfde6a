import type { Database } from '../../core/engine/data/database.ts'
import { Table } from '../../core/engine/data/table.ts'
import { isObject, isRecord } from '../../core/kernel/json/values.ts'

/** The content of a file: collections and objects by name, or one resource named after the file. */
export type ContentKind = 'database' | 'list' | 'object'

/** For messages. */
export const KINDS: Readonly<Record<ContentKind, string>> = {
  database: 'collections by name',
  list: 'a list',
  object: 'one object',
}

/** Beside other files, an object is one of collections if it has at least one, and nothing but objects besides. */
export function kindOf(value: unknown, isAlone: boolean): ContentKind {
  if (Array.isArray(value)) return 'list'
  if (isAlone || !isRecord(value)) return 'database'
  const parts = Object.entries(value).flatMap(([name, part]) => (name === '$schema' ? [] : [part]))
  const isCollection = (part: unknown) => Array.isArray(part) && part.every(isObject)
  const isDatabase = parts.some(isCollection) && parts.every((part) => isCollection(part) || isRecord(part))
  return isDatabase ? 'database' : 'object'
}

/** Undefined if there are none but `$schema`. */
export function namesIn(parts: Database['parts']): object | undefined {
  const names = [...parts].filter(([name]) => name !== '$schema')
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map(([name, part]) => [name, part instanceof Table ? [] : part]))
}

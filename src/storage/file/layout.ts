import { isObject, isRecord } from '../../json/values.ts'
import type { Format } from '../formats/formats.ts'

/** What a file holds: collections and objects by name, or one that has the name of the file. */
export type Layout = 'database' | 'list' | 'object'

/** For messages. */
export const KINDS: Readonly<Record<Layout, string>> = {
  database: 'collections by name',
  list: 'a list',
  object: 'one object',
}

export function isListFormat(format: Format): boolean {
  return format === 'csv' || format === 'ndjson'
}

/** Beside other files, an object is one of collections if it has at least one, and nothing but objects besides. */
export function layoutOf(value: unknown, isAlone: boolean): Layout {
  if (Array.isArray(value)) return 'list'
  if (isAlone || !isRecord(value)) return 'database'
  const parts = Object.entries(value).flatMap(([name, part]) => (name === '$schema' ? [] : [part]))
  const isCollection = (part: unknown) => Array.isArray(part) && part.every(isObject)
  const isDatabase = parts.some(isCollection) && parts.every((part) => isCollection(part) || isRecord(part))
  return isDatabase ? 'database' : 'object'
}

const LARGE = 1_000_000

/** What is to be said about a file at the start. */
export function remarkOn(format: Format, bytes: number, wholeUpTo: number | undefined): string | undefined {
  if (wholeUpTo !== undefined) return 'ended in the middle of a row, as after a crash: that row is left out.'
  const isSlow = format !== 'json' && format !== 'ndjson'
  if (!isSlow || bytes <= LARGE) return undefined
  return `has ${(bytes / 1_000_000).toFixed(1)} MB: as plain JSON, it would be read and saved faster.`
}

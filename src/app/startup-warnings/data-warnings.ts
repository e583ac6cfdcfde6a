import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { urlSegment } from '../../json/url-segment.ts'
import { fieldText } from '../../storage/data/lookup.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Row } from '../../storage/types.ts'
import { MOST_BYTES, repeatedKeys } from './repeated-keys.ts'

const MOST_NAMED = 5

const USUAL_IDS = ['id', '_id', 'ID', 'Id', 'uuid', 'guid', 'key', '_key', 'slug']

/** Warnings about data that is served, but hardly as intended. `file` is the JSON file it was read from. */
export async function dataWarnings(engine: Engine, file?: string): Promise<readonly string[]> {
  const names = engine.names()
  const { id } = engine.naming
  const { found } = await engine.read({ kind: 'database' })
  const collections = names.flatMap((name) => {
    const rows = found[name]
    return Array.isArray(rows) ? [{ name, rows, ...surveyIds(rows, id) }] : []
  })
  return [
    ...(file === undefined ? [] : await onFile(names, file)),
    ...collections.flatMap((collection) => onRepeatedIds(collection, id)),
    ...onMissingIds(
      collections.filter(({ hasIds }) => !hasIds),
      id,
    ),
  ]
}

interface Collection extends IdSurvey {
  readonly name: string
  readonly rows: readonly Row[]
}

async function onFile(names: readonly string[], file: string): Promise<readonly string[]> {
  const name = basename(file)
  if (names.length === 0) {
    return [`${name} has no data, so there is nothing to serve. Add collections, such as { "posts": [] }.`]
  }
  const keys = repeatedKeys(await contentOf(file), names)
  if (keys.length === 0) return []
  return [`${name} repeats ${list(keys.map(quote))}: only the last one is served. Merge or rename them.`]
}

async function contentOf(file: string): Promise<Buffer> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0
  const isWorthIt = size > 0 && size <= MOST_BYTES
  return (isWorthIt ? await readFile(file).catch(() => undefined) : undefined) ?? Buffer.alloc(0)
}

function onRepeatedIds({ name, repeated }: Collection, id: string): readonly string[] {
  if (repeated.length === 0) return []
  return [
    `"${name}" has more than one row with the ${id} ${list(repeated)}: only the first of them can be reached. ` +
      `Give each row its own ${id}.`,
  ]
}

function onMissingIds(without: readonly Collection[], id: string): readonly string[] {
  const [first] = without
  if (first === undefined) return []
  const row: unknown = first.rows[0]
  const isObject = typeof row === 'object' && row !== null
  const other = USUAL_IDS.find((field) => isObject && Object.hasOwn(row, field))
  const remedy = other === undefined ? `Add "${id}" to them.` : `Start with --id ${other}, or add "${id}".`
  return [
    `No row of ${list(without.map(({ name }) => quote(name)))} has the field "${id}", so none can be reached under a path ` +
      `such as /${urlSegment(first.name)}/1. ${remedy}`,
  ]
}

function list(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name))
  const more = names.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function quote(name: string): string {
  return `"${name}"`
}

interface IdSurvey {
  readonly hasIds: boolean
  /** Ids that occur in more than one row, in the order of their second occurrence. */
  readonly repeated: readonly string[]
}

/** Checks every row once. Ascending numbers, as in most files, take the fast path. */
function surveyIds(rows: readonly Row[], id: string): IdSurvey {
  if (isRising(rows, id)) return { hasIds: true, repeated: [] }
  const seen = new Set<unknown>()
  const repeated = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row, id)
    if (key === undefined) continue
    if (seen.has(key)) repeated.add(String(key))
    else seen.add(key)
  }
  return { hasIds: seen.size > 0, repeated: [...repeated] }
}

/** Equal for ids that read the same. Numbers are not turned into strings, which would take most of the time. */
function keyOf(row: Row, id: string): unknown {
  const value: unknown = row?.[id]
  if (typeof value === 'number') return value
  const text = fieldText(row, id)
  const number = Number(text)
  return String(number) === text ? number : text
}

function isRising(rows: readonly Row[], id: string): boolean {
  let last = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const value: unknown = row?.[id]
    if (typeof value !== 'number' || value <= last) return false
    last = value
  }
  return true
}

import type { HookAction } from '../hooks.ts'
import type { Row } from '../types.ts'
import type { InsertOptions } from './draft.ts'
import type { WriteContext } from './write-context.ts'

/** The row as a hook leaves it. It sees neither hidden nor computed fields. */
export async function runBefore(
  { before, ruling }: WriteContext,
  resource: string,
  action: HookAction,
  row: Row,
  old?: Row,
): Promise<Row> {
  if (!before?.hooks.has('before', resource, action)) return row
  const { hidden = [], unstored = [], computed = {} } = ruling?.of(resource) ?? {}
  const kept: Row = {}
  const shown: Row = {}
  for (const [name, value] of Object.entries(row)) {
    if (hidden.includes(name) || unstored.includes(name)) kept[name] = value
    else if (!Object.hasOwn(computed, name)) shown[name] = value
  }
  const next = await before.hooks.before({ resource, action, row: shown, old }, before.inside, before.options)
  // What a hook writes without waiting for it belongs to it, too.
  await before.inside.idle()
  return { ...next, ...kept }
}

/** New rows as hooks leave them, with their ids: hooks see those before the rows are in the data. */
export async function beforeCreate(
  context: WriteContext,
  collection: string,
  rows: readonly Row[],
  making: InsertOptions,
): Promise<readonly [rows: readonly Row[], keepsIds: boolean | undefined]> {
  const { draft, before } = context
  if (!before?.hooks.has('before', collection, 'create')) return [rows, making.keepsIds]
  const { id } = draft.naming
  const next: Row[] = []
  for (const row of await draft.copy().insert(collection, rows, making)) {
    next.push({ ...(await runBefore(context, collection, 'create', row)), [id]: row[id] })
  }
  return [next, true]
}

/** Rows to be deleted, one after the other. */
export async function beforeDelete(
  context: WriteContext,
  removed: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  if (!context.before) return
  for (const [name, rows] of removed) {
    for (const row of rows) await runBefore(context, name, 'delete', row)
  }
}

/** What a hook writes to its own row would be lost. */
export async function checkUntouched(
  { draft, before }: WriteContext,
  collection: string,
  rows: readonly Row[],
): Promise<void> {
  if (!before?.hooks.has('before', collection, 'update')) return
  const table = draft.table(collection)
  const current = new Set<unknown>(table?.rows.items())
  if (rows.every((row) => current.has(row))) return
  throw new Error(`before.update of ${collection} wrote the row that it is about: return the row instead.`)
}

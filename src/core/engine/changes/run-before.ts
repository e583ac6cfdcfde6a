import type { RowChange } from '../change.ts'
import type { HookAction, Hooks } from '../hooks.ts'
import { idOf } from '../id-of.ts'
import { withIdOf } from '../rules/made-rows.ts'
import { copyHidden, withComputed, withoutFields } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import type { InsertOptions } from './draft.ts'
import type { WriteContext } from './write-context.ts'

/** The row as a hook leaves it. It sees computed fields, which are read-only, and no hidden ones. */
export async function runBefore(
  { before, ruling }: WriteContext,
  resource: string,
  action: HookAction,
  row: Row,
  old?: Row,
): Promise<Row> {
  if (!before?.hooks.has('before', resource, action)) return row
  const { hidden = [], unstored = [], computed } = ruling?.of(resource) ?? {}
  const isKept = (name: string) => hidden.includes(name) || unstored.includes(name)
  const fields = Object.entries(row)
  const kept = Object.fromEntries(fields.filter(([name]) => isKept(name)))
  const shown = Object.fromEntries(fields.filter(([name]) => !isKept(name)))
  const event = { resource, action, row: withComputed(shown, computed), old }
  const next = await before.hooks.before(event, before.inside, before.options)
  return { ...withoutFields(next, Object.keys(computed ?? {})), ...kept }
}

/** Id and hidden fields stay as they are. */
export async function beforeUpdate(
  context: WriteContext,
  collection: string,
  row: Row,
  old: Row,
): Promise<Row> {
  const next = await runBefore(context, collection, 'update', row, old)
  return next === row ? row : copyHidden(withIdOf(old, next, idOf(collection, context.draft.naming)), old)
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
  const id = idOf(collection, draft.naming)
  const next: Row[] = []
  await draft.reserving(collection, rows, making, async (made) => {
    for (const row of made)
      next.push({ ...(await runBefore(context, collection, 'create', row)), [id]: row[id] })
  })
  return [next, true]
}

/** Rows to be deleted, one after the other. Returns them as they are then: hooks may have written or deleted them. */
export async function beforeDelete(
  context: WriteContext,
  removed: ReadonlyMap<string, readonly Row[]>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { draft, before } = context
  const { database } = draft
  const current = async (name: string, rows: readonly Row[]) =>
    draft.database === database ? rows : draft.current(name, rows)
  for (const [name, rows] of removed) {
    if (!before?.hooks.has('before', name, 'delete')) continue
    for (const row of rows) {
      for (const now of await current(name, [row])) await runBefore(context, name, 'delete', now)
    }
  }
  if (draft.database === database) return removed
  const next = new Map<string, readonly Row[]>()
  for (const [name, rows] of removed) next.set(name, await current(name, rows))
  return next
}

/** Whether hooks may run with a change. A deletion may reach rows of any resource. */
export function mayRunHooks(hooks: Hooks, change: RowChange): boolean {
  if (change.kind === 'create-collection') return false
  if (change.kind === 'batch') return change.changes.some((part) => mayRunHooks(hooks, part))
  if (change.kind === 'remove' || change.kind === 'remove-where') return true
  const name = 'name' in change ? change.name : change.collection
  const action = change.kind === 'insert' ? 'create' : 'update'
  return hooks.has('before', name, action) || hooks.has('after', name, action)
}

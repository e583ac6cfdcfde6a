import type { Change } from '../change.ts'
import { idOf } from '../id-of.ts'
import { checkMoved, checkNewIds, checkRows, requireRight, withFixedFields } from '../rules/check-access.ts'
import { hideSent, idMaker, idsInUse, newRow, nextRow, withIdOf, withTimestamps } from '../rules/made-rows.ts'
import { withComputed } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import { checkNames } from './check-names.ts'
import { beforeCreate, beforeUpdate, runBefore } from './run-before.ts'
import type { WriteContext } from './write-context.ts'

export function fieldsOf({ options: { texts }, ruling }: WriteContext, resource: string, fields: Row): Row {
  return (texts && ruling?.of(resource)?.schema?.readTexts(fields, texts)) ?? fields
}

export async function insertRows(
  context: WriteContext,
  change: Change<'insert'>,
): Promise<readonly Row[] | undefined> {
  const { draft, options, ruling, access, before } = context
  const { collection, rows, keepsIds, place } = change
  if (!draft.database.table(collection)) return undefined
  if (access) requireRight(access, collection, 'create')
  const id = idOf(collection, draft.naming)
  const ruled = ruling?.of(collection)
  const made: Row[] = []
  for (const row of rows) {
    checkNames(row)
    const fields = fieldsOf(context, collection, row)
    const filled = ruled ? newRow(ruled, fields, keepsIds ? id : undefined) : fields
    made.push(access ? withFixedFields(access, collection, filled) : filled)
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
  }
  if (access && !before) await checkRows(draft, access, collection, 'create', made)
  const isTaken = ruled?.keysIn && (await idsInUse(draft, ruled.keysIn))
  if (isTaken && access) checkNewIds(access, collection, id, made, isTaken)
  const newId = ruled && idMaker(ruled, id, () => [...draft.rows(collection), ...draft.comingIn(collection)])
  const making = { isTaken, newId, keepsIds }
  const [hooked, keeps] = before ? await beforeCreate(context, collection, made, making) : [made, keepsIds]
  if (access && before) await checkRows(draft, access, collection, 'create', hooked)
  if (!ruling || !ruled) return draft.insert(collection, hooked, { keepsIds: keeps, place })
  const judged: Row[] = []
  const complete = (row: Row) => {
    const sent = rows[judged.length] ?? {}
    const hiding = hideSent(ruled, withTimestamps(ruled, ruling, row), { sent, seals: options.seals })
    const stored = withComputed(hiding.row, ruled.computed)
    judged.push(hiding.judged === hiding.row ? stored : hiding.judged)
    return stored
  }
  const inserted = await draft.insert(collection, hooked, { ...making, keepsIds: keeps, place, complete })
  const isList = change.isList || rows.length > 1
  for (const [at, row] of inserted.entries()) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const label = ruling.label(isList ? at : undefined)
    ruling.addWritten(collection, undefined, row, label, { judged: judged[at], isWhole: true })
  }
  return inserted
}

/** @param options `isWhole`: the client sent all fields, so defaults are filled in. `isFound`: a filter selected the rows. */
export async function replaceRows(
  context: WriteContext,
  collection: string,
  rows: readonly Row[],
  changed: readonly Row[],
  { isWhole = false, isFound = false }: { readonly isWhole?: boolean; readonly isFound?: boolean },
): Promise<readonly Row[]> {
  const { draft, options, ruling, access, before } = context
  const { within, seals, proof } = options
  const ruled = ruling?.of(collection)
  const id = idOf(collection, draft.naming)
  const next: Row[] = []
  for (const [at, old] of rows.entries()) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const fields = changed[at] ?? old
    checkNames(fields, old)
    const sent = ruled ? nextRow(ruled, old, fields, isWhole) : fields
    // The foreign key is part of the path of a nested item, and stays whatever the body says.
    const kept = within ? { ...sent, [within.key]: old[within.key] } : sent
    const fixed = withIdOf(old, access ? withFixedFields(access, collection, kept, old) : kept, id)
    const row = before ? await beforeUpdate(context, collection, fixed, old) : fixed
    if (!ruled || !ruling) {
      next.push(row)
      continue
    }
    const whole = withTimestamps(ruled, ruling, row, old)
    const hiding = hideSent(ruled, whole, { sent: fields, old, seals, proof })
    const name = isFound ? `${collection} ${String(old[id] ?? '')}`.trim() : undefined
    const label = { prefix: ruling.prefix, name }
    const stored = withComputed(hiding.row, ruled.computed)
    const judged = hiding.judged === hiding.row ? stored : hiding.judged
    ruling.addWritten(collection, old, stored, label, { judged, isWhole })
    next.push(stored)
  }
  if (access) await checkMoved(draft, access, collection, rows, next)
  await draft.replace(collection, rows, next)
  return next
}

export async function replaceObject(
  context: WriteContext,
  name: string,
  old: Row,
  sent: Row,
  isWhole: boolean,
): Promise<Row> {
  const { draft, ruling, access } = context
  checkNames(sent, old)
  const fields = access ? withFixedFields(access, name, sent, old) : sent
  const ruled = ruling?.of(name)
  const filled = ruled ? nextRow(ruled, old, fields, isWhole) : fields
  const hooked = await runBefore(context, name, 'update', filled, old)
  const next = ruled && ruling ? withTimestamps(ruled, ruling, hooked, old) : hooked
  if (access) await checkMoved(draft, access, name, [old], [next])
  draft.replaceObject(name, old, next)
  ruling?.check(name, next, ruling.label())
  return next
}

import type { Change, WriteOptions } from '../change.ts'
import type { Ruled } from '../rules/compiled-rules.ts'
import type { Label } from '../rules/field-errors.ts'
import { hideSent } from '../rules/hide-sent.ts'
import { newRow, nextRow, readFields, stamped } from '../rules/made-rows.ts'
import { idMaker } from '../rules/new-id.ts'
import { ownerIds } from '../rules/owner-ids.ts'
import type { Ruling } from '../rules/ruling.ts'
import type { Row } from '../types.ts'
import type { Guard } from '../view/guard.ts'
import type { Draft, RowMaking } from './draft.ts'

/** How rows of a draft are written: with the rules that hold, if any, and what goes with the change. */
export interface Writing {
  readonly draft: Draft
  readonly options: WriteOptions
  readonly ruling: Ruling | undefined
  /** Holds it to what its client may do; absent where that is everything. */
  readonly guard: Guard | undefined
}

/** The fields of a change, with those that came as text read as what they are. */
export function fieldsOf({ options, ruling }: Writing, resource: string, fields: Row): Row {
  return options.texts && ruling ? readFields(ruling.of(resource), fields, options.texts) : fields
}

export async function insertRows(writing: Writing, change: Change<'insert'>): Promise<readonly Row[]> {
  const { draft, ruling, guard } = writing
  const { collection, rows, keepsIds } = change
  const ruled = ruling?.of(collection)
  if (!ruling || !ruled) {
    const made = guard ? rows.map((row) => guard.newRow(collection, row)) : rows
    return draft.insert(collection, made, { keepsIds, place: change.place })
  }
  const keptId = keepsIds ? draft.naming.id : undefined
  const made: Row[] = []
  for (const row of rows) {
    if (draft.pace.isDue) await draft.pace.turn()
    const filled = newRow(ruled, fieldsOf(writing, collection, row), keptId)
    made.push(guard ? guard.newRow(collection, filled) : filled)
  }
  const judged = new Map<Row, Row>()
  const isTaken = ruled.ownerIn && (await ownerIds(draft, ruled.ownerIn))
  if (isTaken) guard?.checkIds(collection, draft.naming.id, made, isTaken)
  const making = { ...makingOf(writing, ruled, change, judged), isTaken }
  const inserted = await draft.insert(collection, made, making)
  const isList = change.isList || rows.length > 1
  for (const [at, row] of inserted.entries()) {
    if (draft.pace.isDue) await draft.pace.turn()
    ruling.noteInsertion(collection, row, ruling.label(isList ? at : undefined), judged.get(row))
  }
  return inserted
}

/** @param judged filled in with rows as their schema judges them, where that is not how they are stored */
function makingOf(
  { draft, options, ruling }: Writing,
  ruled: Ruled,
  { collection, rows, keepsIds, place }: Change<'insert'>,
  judged: Map<Row, Row>,
): RowMaking {
  const { ids, schema, fields, timestamps, hidden, unstored } = ruled
  const { id } = draft.naming
  const judging = fields?.includes(id) ? schema : undefined
  let at = 0
  const complete = (row: Row) => {
    const made = hideSent(
      ruled,
      stamped(ruled, () => ruling?.now ?? '', row),
      {
        sent: rows[at++] ?? {},
        seals: options.seals,
      },
    )
    if (made.judged !== made.row) judged.set(made.row, made.judged)
    return made.row
  }
  return {
    keepsIds,
    place,
    newId:
      ids || judging
        ? idMaker({ kind: ids, schema: judging, id, rows: () => draft.rows(collection) })
        : undefined,
    complete: timestamps || hidden || unstored ? complete : undefined,
  }
}

/**
 * Keeps the stored id, if there is one.
 * @param isWhole whether the fields are all there are, so that defaults are filled in
 * @param label for a row that the client did not name
 */
export async function replaceRow(
  { draft, options, ruling, guard }: Writing,
  collection: string,
  old: Row,
  fields: Row,
  { isWhole = false, label = ruling?.label() }: { isWhole?: boolean; label?: Label | undefined } = {},
): Promise<Row> {
  const ruled = ruling?.of(collection)
  const kept = keepKey(old, ruled ? nextRow(ruled, old, fields, isWhole) : fields, options)
  const row = withIdOf(old, guard ? guard.nextRow(collection, old, kept) : kept, draft.naming.id)
  if (!ruled || !ruling) {
    await draft.replace(collection, old, row)
    return row
  }
  const { seals, proof } = options
  const whole = stamped(ruled, () => ruling.now, row, old)
  const { row: next, judged } = hideSent(ruled, whole, { sent: fields, old, seals, proof })
  await draft.replace(collection, old, next)
  if (label) ruling.noteReplacement(collection, old, next, label, { judged, isWhole })
  return next
}

/** Each of the rows with what becomes of it. */
export async function replaceRows(
  writing: Writing,
  collection: string,
  rows: readonly Row[],
  changed: readonly Row[],
): Promise<readonly Row[]> {
  const { id } = writing.draft.naming
  const prefix = writing.ruling?.prefix ?? ''
  const replaced: Row[] = []
  await writing.draft.locate(collection, rows)
  for (const [at, row] of rows.entries()) {
    const label = { prefix, name: `${collection} ${String(row[id] ?? '')}`.trim() }
    replaced.push(await replaceRow(writing, collection, row, changed[at] ?? row, { label }))
    // A row may have thousands of fields.
    if (writing.draft.pace.isDue) await writing.draft.pace.turn()
  }
  return replaced
}

/** Replaces a single object. */
export function replaceObject(
  { draft, ruling, guard }: Writing,
  name: string,
  old: Row,
  sent: Row,
  isWhole = false,
): Row {
  const fields = guard ? guard.nextRow(name, old, sent) : sent
  const ruled = ruling?.of(name)
  if (!ruled || !ruling) {
    draft.setObject(name, fields)
    return fields
  }
  const next = stamped(ruled, () => ruling.now, nextRow(ruled, old, fields, isWhole), old)
  draft.setObject(name, next)
  ruling.check(name, next, ruling.label())
  return next
}

/** The path of a nested item contains its foreign key, which stays whatever the body says. */
function keepKey(old: Row, fields: Row, { within }: WriteOptions): Row {
  return within ? { ...fields, [within.key]: old[within.key] } : fields
}

function withIdOf(old: Row, fields: Row, id: string): Row {
  if (Object.hasOwn(old, id)) return { ...fields, [id]: old[id] }
  const { [id]: _, ...others } = fields
  return others
}

import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { PlacedRow, RowsEffect } from '../commit.ts'
import type { Row } from '../types.ts'
import type { Came, Gone } from './draft-places.ts'
import type { TableDraft } from './table-draft.ts'

/** What the current change did to a collection, with positions before and after; undefined if nothing. */
export function* effectOf(draft: TableDraft, name: string): Work<RowsEffect | undefined> {
  const gone: Gone[] = []
  const came: Came[] = []
  const replaced: { readonly before: Row; readonly after: Row }[] = []
  let count = 0
  for (const { origin, before, after } of draft.states.differences()) {
    if (++count % STRETCH === 0) yield
    if (before === after) continue
    // A row with a twin cannot be identified by id alone.
    if (before && after && !draft.hasTwin(after)) replaced.push({ before, after })
    else {
      if (before) gone.push({ origin, before, after })
      if (after) came.push({ origin, before, after })
    }
  }
  if (gone.length + came.length + replaced.length === 0) return undefined
  const removed = gone.length > 0 ? placed(draft, yield* draft.standing.before(gone)) : NONE
  const added = came.length > 0 ? placed(draft, yield* draft.standing.after(came)) : NONE
  return { kind: 'rows', name, removed, added, replaced }
}

/** Shared: most changes only add, only replace or only remove, and many are kept. */
const NONE: readonly PlacedRow[] = []

function placed(draft: TableDraft, places: ReadonlyMap<Row, number>): readonly PlacedRow[] {
  return [...places]
    .map(([row, place]) => (draft.hasTwin(row) ? { row, place, isTwin: true } : { row, place }))
    .sort((a, b) => a.place - b.place)
}

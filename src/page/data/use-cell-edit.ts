import { useEffect, useState } from 'preact/hooks'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { go, route } from '../client/route.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { leaveRequest } from '../client/unsaved.ts'
import { errorsIn } from '../form/form-fields.ts'
import { capitalize, rowName } from '../parts/format.ts'
import { notify } from '../parts/notices.tsx'
import { offerUndoOf } from './offer-undo.ts'
import type { Row } from './rows.ts'

export interface CellPlace {
  readonly rowId: string
  readonly column: string
}

export function isSamePlace(one: CellPlace, other: CellPlace): boolean {
  return one.rowId === other.rowId && one.column === other.column
}

/** Which cell of a table is being edited, and what was saved but not loaded again yet. */
export function useCellEdit(resource: string, isOn: boolean, reload: () => Promise<void>) {
  const [place, setPlace] = useState<CellPlace>()
  const [saved, setSaved] = useState<readonly (CellPlace & { readonly value: unknown })[]>([])
  useEffect(() => (isOn ? watchDoubleClicks(setPlace) : undefined), [isOn])

  async function save(at: CellPlace, value: unknown): Promise<void> {
    const change = { ...at, value }
    setSaved((all) => [...all, change])
    const { rowId: id, column } = at
    const response = await send('PATCH', pathOf(resource, id), { body: JSON.stringify({ [column]: value }) })
    if (isOk(response)) {
      recordChange(resource)
      void offerUndoOf(`${capitalize(rowName(resource, id))} saved`, { resource, id, op: 'update' })
      await reload()
    } else {
      const [error] = errorsIn(response.data, [column]).byField.get(column) ?? []
      notify(error === undefined ? errorOf(response).message : `${column} ${error}`, { tone: 'bad' })
    }
    setSaved((all) => all.filter((one) => one !== change))
  }

  return {
    place,
    edit: setPlace,
    save,
    /** Unless another one is edited by now. */
    close: (at: CellPlace) => setPlace((now) => (now && isSamePlace(now, at) ? undefined : now)),
    /** With what was saved. */
    shown(row: Row, id: string | undefined): Row {
      const own = saved.filter(({ rowId }) => rowId === id)
      return own.length === 0
        ? row
        : { ...row, ...Object.fromEntries(own.map((one) => [one.column, one.value])) }
    },
  }
}

/**
 * Edits the cell that is clicked twice. The first click opens its row, so the second one meets what came under the
 * pointer: it goes to nobody, and the panel closes again.
 */
function watchDoubleClicks(edit: (place: CellPlace) => void): () => void {
  let first: { readonly place: CellPlace; readonly from: typeof route.value } | undefined
  const take = (event: MouseEvent) => {
    if (event.detail < 2) {
      const place = event.button === 0 ? placeOf(event.target) : undefined
      first = place && { place, from: route.peek() }
      return
    }
    if (!first || leaveRequest.peek()) return
    event.preventDefault()
    event.stopPropagation()
    if (event.type !== 'dblclick') return
    getSelection()?.removeAllRanges()
    go(first.from, true)
    edit(first.place)
    first = undefined
  }
  document.addEventListener('click', take, true)
  document.addEventListener('dblclick', take, true)
  return () => {
    document.removeEventListener('click', take, true)
    document.removeEventListener('dblclick', take, true)
  }
}

/** The cell around an element that can be edited, unless it is a link or an input. */
function placeOf(target: EventTarget | null): CellPlace | undefined {
  if (!(target instanceof Element) || target.closest('a, button, input, select')) return undefined
  const { row, column } = target.closest<HTMLElement>('td[data-column]')?.dataset ?? {}
  return row !== undefined && column !== undefined ? { rowId: row, column } : undefined
}

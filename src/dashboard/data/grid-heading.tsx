import { useRef } from 'preact/hooks'
import type { Sort } from '../client/query.ts'
import { Icon } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'

export type ColumnStyle = Readonly<Record<string, string>>

interface HeadingProps {
  readonly column: string
  readonly isNumeric: boolean
  readonly style: ColumnStyle | undefined
  readonly sort: Sort | undefined
  readonly onSort: (sort: readonly Sort[]) => void
  readonly onResize: (width: number | undefined) => void
}

/**
 * Sorts: ascending, descending, and back to the order of the data. Its right edge resizes the column, and so do the arrow
 * keys with Shift; a double click lets the content decide again.
 */
export function Heading({ column, isNumeric, style, sort, onSort, onResize }: HeadingProps) {
  const cell = useRef<HTMLTableCellElement>(null)
  const order = sort?.field === column ? sort.order : undefined
  const next: readonly Sort[] =
    order === 'desc' ? [] : [{ field: column, order: order === 'asc' ? 'desc' : 'asc' }]
  const state = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none'

  function nudge(event: KeyboardEvent): void {
    const step = event.shiftKey ? STEPS[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    onResize((cell.current?.offsetWidth ?? 0) + step)
  }

  function drag(event: PointerEvent): void {
    const edge = event.currentTarget
    if (!(edge instanceof HTMLElement)) return
    const offset = (cell.current?.offsetWidth ?? 0) - event.clientX
    edge.setPointerCapture(event.pointerId)
    edge.onpointermove = ({ clientX }) => onResize(offset + clientX)
    edge.onlostpointercapture = () => {
      edge.onpointermove = null
    }
  }

  return (
    <th
      ref={cell}
      scope="col"
      aria-sort={state}
      class={isNumeric ? 'numeric' : undefined}
      {...(style && { style })}
    >
      <button
        type="button"
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onClick={() => onSort(next)}
        onKeyDown={nudge}
      >
        {shorten(column, 60)}
        {order && <Icon name={order === 'asc' ? 'up' : 'down'} />}
      </button>
      <span
        class="resize-edge"
        aria-hidden="true"
        onPointerDown={drag}
        onDblClick={() => onResize(undefined)}
      />
    </th>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -16, ArrowRight: 16 }

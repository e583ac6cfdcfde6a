import { useRef } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import type { FieldSchema } from '../client/field-schema.ts'
import type { Sort } from '../client/query.ts'
import { formatRoute, route } from '../client/route.ts'
import { idField } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { formatDate, shorten } from '../parts/format.ts'
import { isNested, preview } from '../parts/json.ts'
import { CellEditor, fitsCell } from './cell-editor.tsx'
import { KeyValue } from './key-value.tsx'
import { idsIn, type Key } from './keys.ts'
import type { Row } from './rows.ts'
import { type CellPlace, isSamePlace, type useCellEdit } from './use-cell-edit.ts'

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

interface CellProps {
  readonly row: Row
  readonly column: string
  readonly isNumeric: boolean
  readonly style: ColumnStyle | undefined
  readonly rowId: string | undefined
  readonly resource: ResourceInfo
  /** The target of a field that is a key. */
  readonly to: Key | undefined
  readonly isEditable: boolean
  readonly editing: ReturnType<typeof useCellEdit>
  /** Undefined until they are loaded. */
  readonly schemas: readonly FieldSchema[] | undefined
}

/** A value of a row, on one line. The id links to the row, a foreign key to the row it references. */
export function Cell(props: CellProps) {
  const { row, column, isNumeric, style: width, rowId, resource, to, isEditable, editing, schemas } = props
  const style = width && { style: width }
  const value = Object.hasOwn(row, column) ? row[column] : undefined
  const text = preview(value)
  if (column === idField(resource.name) && rowId !== undefined) {
    return (
      <th scope="row" class="id" {...style}>
        <a href={linkTo(resource.name, rowId)}>{text}</a>
      </th>
    )
  }
  const schema = schemas?.find(({ name }) => name === column)
  const mayEdit = isEditable && rowId !== undefined && fitsCell(value) && !schema?.isReadOnly
  const place = mayEdit
    ? {
        tabIndex: -1,
        'data-row': rowId,
        'data-column': column,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' || event.target !== event.currentTarget) return
          event.preventDefault()
          editing.edit({ rowId, column })
        },
      }
    : {}
  const at = mayEdit ? { rowId, column } : undefined
  const isEdited = at && editing.place && isSamePlace(editing.place, at)
  if (isEdited) {
    return (
      <td {...style} {...place} class="edited">
        <CellEditor
          {...{ column, value, schema }}
          onSave={(change) => change && void editing.save(at, change.value)}
          onNext={(isBack) => editNext(at, isBack, editing.edit)}
          onClose={() => editing.close(at)}
        />
      </td>
    )
  }
  if (to && idsIn(to, value)) {
    return (
      <td {...style} {...place}>
        <KeyValue to={to} value={value} isShort />
      </td>
    )
  }
  const date = typeof value === 'string' ? formatDate(value) : undefined
  return (
    <td class={isNumeric ? 'number numeric' : kindOf(value)} {...style} {...place}>
      {date === undefined ? (
        text
      ) : (
        <time dateTime={text} title={text}>
          {date}
        </time>
      )}
    </td>
  )
}

/** The next cell that can be edited, in the order of the page. */
function editNext({ rowId, column }: CellPlace, isBack: boolean, edit: (place: CellPlace) => void): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('.grid-frame td[data-column]')]
  const at = all.findIndex(({ dataset }) => dataset.row === rowId && dataset.column === column)
  const next = all[at + (isBack ? -1 : 1)]
  const { row, column: other } = next?.dataset ?? {}
  if (at === -1 || row === undefined || other === undefined) return false
  edit({ rowId: row, column: other })
  return true
}

function linkTo(resource: string, id: string): string {
  const at = route.value
  return formatRoute({ view: 'data', resource, query: at.view === 'data' ? at.query : '', id })
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return isNested(value) ? 'nested' : typeof value
}

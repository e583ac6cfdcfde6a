import type { ResourceInfo } from '../../catalogue/service-info.ts'
import type { Query, Sort } from '../client/query.ts'
import { formatRoute, go, route } from '../client/route.ts'
import { idField } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { isNested, preview } from '../parts/json.ts'
import { KeyValue } from './key-value.tsx'
import { idsIn, type Key, keysOf } from './keys.ts'
import { idOf, numericColumns, type Row } from './rows.ts'

interface GridProps {
  readonly resource: ResourceInfo
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly query: Query
  readonly openId: string | undefined
  readonly onSort: (sort: readonly Sort[]) => void
}

/** One page of rows. A heading sorts, a row opens. */
export function Grid({ resource, rows, columns, query, openId, onSort }: GridProps) {
  const id = idField()
  const keys = keysOf(resource)
  const measures = columns.filter((column) => column !== id && !keys.has(column))
  const numeric = numericColumns(rows, measures)
  return (
    <section class="grid-frame" aria-label={`Rows of ${resource.name}`}>
      <table class="grid">
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading
                key={column}
                column={column}
                isNumeric={numeric.has(column)}
                sort={query.sort[0]}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {rows.map((row, index) => {
            const rowId = idOf(row, id)
            return (
              <tr
                key={rowId ?? `#${index}`}
                class={rowId !== undefined && rowId === openId ? 'open' : undefined}
                onClick={(event) => rowId !== undefined && openUnlessLink(event, rowId)}
              >
                {columns.map((column) => (
                  <Cell
                    key={column}
                    row={row}
                    column={column}
                    isNumeric={numeric.has(column)}
                    rowId={rowId}
                    resource={resource}
                    to={keys.get(column)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      {rows.length === 0 && <p class="hint">No rows match.</p>}
    </section>
  )
}

interface HeadingProps {
  readonly column: string
  readonly isNumeric: boolean
  readonly sort: Sort | undefined
  readonly onSort: (sort: readonly Sort[]) => void
}

/** Ascending, descending, and back to the order of the data. */
function Heading({ column, isNumeric, sort, onSort }: HeadingProps) {
  const order = sort?.field === column ? sort.order : undefined
  const next: readonly Sort[] =
    order === 'desc' ? [] : [{ field: column, order: order === 'asc' ? 'desc' : 'asc' }]
  const state = order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none'
  return (
    <th scope="col" aria-sort={state} class={isNumeric ? 'numeric' : undefined}>
      <button type="button" onClick={() => onSort(next)}>
        {shorten(column, 60)}
        {order && <Icon name={order === 'asc' ? 'up' : 'down'} />}
      </button>
    </th>
  )
}

function openUnlessLink(event: MouseEvent, id: string): void {
  const isLink = event.target instanceof Element && event.target.closest('a, button') !== null
  // Selecting text is not a click.
  if (isLink || String(getSelection()) !== '') return
  const at = route.value
  if (at.view === 'data') go({ ...at, id })
}

/** Up and down move between rows; Enter opens one, as with any link. */
function moveBetweenRows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = event.target instanceof Element ? event.target.closest('tr') : null
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const link = next?.querySelector('a')
  if (!link) return
  event.preventDefault()
  link.focus()
}

interface CellProps {
  readonly row: Row
  readonly column: string
  readonly isNumeric: boolean
  readonly rowId: string | undefined
  readonly resource: ResourceInfo
  /** What it refers to, if it is a key. */
  readonly to: Key | undefined
}

/** One value of a row, on one line. The id links to the row, a foreign key to the row it references. */
function Cell({ row, column, isNumeric, rowId, resource, to }: CellProps) {
  const value = Object.hasOwn(row, column) ? row[column] : undefined
  const text = preview(value)
  if (column === idField() && rowId !== undefined) {
    return (
      <th scope="row" class="id">
        <a href={linkTo(resource.name, rowId)}>{text}</a>
      </th>
    )
  }
  if (to && idsIn(to, value)) {
    return (
      <td>
        <KeyValue to={to} value={value} isShort />
      </td>
    )
  }
  return <td class={isNumeric ? 'number numeric' : kindOf(value)}>{text}</td>
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

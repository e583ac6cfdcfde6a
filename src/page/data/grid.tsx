import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import type { Query, Sort } from '../client/query.ts'
import { go, route } from '../client/route.ts'
import { idField, service } from '../client/service.ts'
import { useFieldSchemas } from '../form/use-field-schemas.ts'
import { rowName, shorten } from '../parts/format.ts'
import { type Columns, longColumns, withWidth } from './columns.ts'
import { Cell, type ColumnStyle, Heading } from './grid-cells.tsx'
import { keysOf } from './keys.ts'
import { idOf, numericColumns, type Row } from './rows.ts'
import { toggleRow } from './selection.ts'
import { useCellEdit } from './use-cell-edit.ts'

interface GridProps {
  readonly resource: ResourceInfo
  readonly rows: readonly Row[]
  readonly names: readonly string[]
  readonly columns: Columns
  readonly query: Query
  readonly openId: string | undefined
  readonly selected: ReadonlySet<string>
  readonly onSort: (sort: readonly Sort[]) => void
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onColumns: (next: Partial<Columns>) => void
  readonly onReload: () => Promise<void>
}

/** A page of rows. A heading sorts, a row opens. */
export function Grid(props: GridProps) {
  const { resource, rows, names, columns, query, openId, selected, onSort, onSelect, onColumns, onReload } =
    props
  const id = idField(resource.name)
  const keys = keysOf(resource)
  const measures = names.filter((column) => column !== id && !keys.has(column))
  const numeric = numericColumns(rows, measures)
  const [held, hold] = useState<Columns['widths']>(new Map())
  const widths = new Map([...held, ...columns.widths])
  const styles = stylesOf(rows, names, widths)
  const ids = rows.flatMap((row) => idOf(row, id) ?? [])
  const last = useRef<string>(undefined)
  const head = useRef<HTMLTableRowElement>(null)
  const shown = names.join()
  const isEditable = service.value?.readOnly !== true
  const cells = useCellEdit(resource.name, isEditable, onReload)
  const [hasEdited, setEdited] = useState(false)
  useEffect(() => setEdited(hasEdited || cells.place !== undefined), [cells.place])
  const schemas = useFieldSchemas(hasEdited ? resource.name : undefined)
  useEffect(() => hold(new Map()), [shown])
  useLayoutEffect(() => {
    document.addEventListener('keydown', moveBetweenRows)
    return () => document.removeEventListener('keydown', moveBetweenRows)
  }, [])

  function toggle(rowId: string, isRange: boolean): void {
    onSelect(toggleRow(selected, ids, rowId, isRange ? last.current : undefined))
    last.current = rowId
  }

  /** Keeps the columns where they are: other rows would give them other widths, under the pointer. */
  function sort(by: readonly Sort[]): void {
    const cells = [...(head.current?.cells ?? [])].slice(1)
    hold(new Map(names.map((name, at) => [name, cells[at]?.getBoundingClientRect().width ?? 0])))
    onSort(by)
  }

  function resize(column: string, width: number | undefined): void {
    hold(new Map([...held].filter(([name]) => name !== column)))
    onColumns({ widths: withWidth(columns, column, width) })
  }

  return (
    <section class="grid-frame" aria-label={`Rows of ${resource.name}`}>
      <table class="grid">
        <thead>
          <tr ref={head}>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={ids.length > 0 && selected.size === ids.length}
                indeterminate={selected.size > 0 && selected.size < ids.length}
                onClick={() => onSelect(new Set(selected.size === ids.length ? [] : ids))}
              />
            </th>
            {names.map((column) => (
              <Heading
                key={column}
                column={column}
                isNumeric={numeric.has(column)}
                style={styles.get(column)}
                sort={query.sort[0]}
                onSort={sort}
                onResize={(width) => resize(column, width)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const rowId = idOf(row, id)
            return (
              <tr
                key={rowId ?? `#${index}`}
                class={rowId !== undefined && rowId === openId ? 'open' : undefined}
                onClick={(event) => rowId !== undefined && openUnlessLink(event, rowId)}
              >
                <td class="pick">
                  {rowId !== undefined && (
                    <input
                      type="checkbox"
                      aria-label={`Select ${rowName(resource.name, shorten(rowId, 40))}`}
                      checked={selected.has(rowId)}
                      onClick={(event) => toggle(rowId, event.shiftKey)}
                    />
                  )}
                </td>
                {names.map((column) => (
                  <Cell
                    key={column}
                    row={cells.shown(row, rowId)}
                    editing={cells}
                    isEditable={isEditable}
                    schemas={schemas}
                    column={column}
                    isNumeric={numeric.has(column)}
                    style={widths.has(column) ? styles.get(column) : undefined}
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
    </section>
  )
}

/** The widths of columns that the user resized; long texts share the room that is left. */
function stylesOf(
  rows: readonly Row[],
  names: readonly string[],
  widths: Columns['widths'],
): ReadonlyMap<string, ColumnStyle> {
  const long = longColumns(
    rows,
    names.filter((name) => !widths.has(name)),
  )
  return new Map<string, ColumnStyle>([
    ...long.map((name) => [name, { width: `${100 / long.length}%` }] as const),
    ...Array.from(widths, ([name, pixels]): [string, ColumnStyle] => {
      const width = `${pixels}px`
      return [name, { width, minWidth: width, maxWidth: width }]
    }),
  ])
}

function openUnlessLink(event: MouseEvent, id: string): void {
  const isOther =
    event.target instanceof Element && event.target.closest('a, button, .pick, .cell-editor') !== null
  // Selecting text is not a click.
  if (isOther || String(getSelection()) !== '') return
  const at = route.value
  if (at.view === 'data') go({ ...at, id })
}

/**
 * Up and down move between rows, and from the search into them; Enter opens one, as with any link. Left and right move
 * between the cells of a row, which Enter edits.
 */
function moveBetweenRows(event: KeyboardEvent): void {
  const { key, target } = event
  const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey
  if (!/^Arrow/.test(key) || hasModifier || !(target instanceof HTMLElement)) return
  const row = target.closest<HTMLTableRowElement>('.grid-frame tbody tr')
  if (target.matches('.cell-editor')) return
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const stops = [...(row?.querySelectorAll<HTMLElement>('.id a, td[data-column]') ?? [])]
    const at = stops.indexOf(target)
    if (at !== -1) stops[at + (key === 'ArrowLeft' ? -1 : 1)]?.focus()
    return
  }
  if (!row && !target.matches('body, main, [type="search"]')) return
  const [first, open] = ['tbody tr', 'tbody tr.open'].map((rows) =>
    document.querySelector(`.grid-frame ${rows}`),
  )
  const next = key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const goal = row ? next : (open ?? first)
  const same = target.matches('.pick input')
    ? 'input'
    : `td[data-column="${CSS.escape(target.dataset.column ?? '')}"]`
  const control = goal?.querySelector<HTMLElement>(same) ?? goal?.querySelector<HTMLElement>('a')
  if (!control) return
  event.preventDefault()
  control.focus()
}

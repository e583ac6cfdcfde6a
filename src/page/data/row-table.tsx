import { useEffect, useState } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import type { Query, QueryProps } from '../client/query.ts'
import type { ApiResponse } from '../client/send.ts'
import { idField, service } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { rowName, rowsName } from '../parts/format.ts'
import type { Columns } from './columns.ts'
import { Grid } from './grid.tsx'
import { idOf, type Row } from './rows.ts'
import { SelectionBar } from './selection-bar.tsx'

interface RowTableProps extends QueryProps {
  readonly resource: ResourceInfo
  readonly rows: readonly Row[]
  /** The names of all columns. */
  readonly names: readonly string[]
  readonly columns: Columns
  readonly openId: string | undefined
  readonly onColumns: (next: Partial<Columns>) => void
  readonly onCreate: () => void
  readonly onReload: () => Promise<void>
  readonly onFailure: (response: ApiResponse | undefined) => void
}

/** The rows of a page, or why there are none, and what can be done with those that are selected. */
export function RowTable(props: RowTableProps) {
  const {
    resource,
    rows,
    names,
    columns,
    query,
    openId,
    onChange,
    onColumns,
    onCreate,
    onFailure,
    onReload,
  } = props
  const [chosen, select] = useState<ReadonlySet<string>>(NONE)
  const id = idField(resource.name)
  // Rows may be gone by now.
  const selected = rows.flatMap((row) => idOf(row, id) ?? []).filter((one) => chosen.has(one))
  const text = JSON.stringify(query)
  useEffect(() => select(NONE), [text])

  function clear(): void {
    select(NONE)
    // The focused button goes away with the selection.
    document.querySelector<HTMLElement>('.grid .pick input')?.focus()
  }

  if (rows.length === 0) {
    return (
      <EmptyRows
        resource={resource.name}
        isFiltered={isFiltered(query)}
        onClearFilters={() => onChange({ filters: [], q: '', where: '', start: '', end: '' })}
        onCreate={onCreate}
      />
    )
  }
  return (
    <>
      <Grid
        resource={resource}
        rows={rows}
        names={names.filter((name) => name === id || !columns.hidden.has(name))}
        columns={columns}
        query={query}
        openId={openId}
        selected={new Set(selected)}
        onSort={(sort) => onChange({ sort })}
        onSelect={select}
        onColumns={onColumns}
        onReload={onReload}
      />
      {/* Below the rows, which stay where they are. */}
      {selected.length > 0 && (
        <SelectionBar
          resource={resource.name}
          ids={selected}
          sort={query.sort}
          onClear={clear}
          onFailure={onFailure}
        />
      )}
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

function isFiltered({ filters, q, where, start }: Query): boolean {
  return filters.length > 0 || [q, where, start].some((text) => text !== '')
}

interface EmptyRowsProps {
  readonly resource: string
  readonly isFiltered: boolean
  readonly onClearFilters: () => void
  readonly onCreate: () => void
}

/** Instead of a table without rows: why there are none, and what to do about it. */
function EmptyRows({ resource, isFiltered, onClearFilters, onCreate }: EmptyRowsProps) {
  const rows = rowsName(resource)
  return (
    <section class="empty" aria-label={`Rows of ${resource}`}>
      <p role="status">{isFiltered ? `No ${rows} match` : `No ${rows} yet`}</p>
      {isFiltered && (
        <button type="button" onClick={onClearFilters}>
          Clear filters
        </button>
      )}
      {!isFiltered && !service.value?.readOnly && (
        <button type="button" onClick={onCreate}>
          <Icon name="plus" /> New {rowName(resource)}
        </button>
      )}
    </section>
  )
}

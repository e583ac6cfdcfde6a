import { service } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { rowName, rowsName } from '../parts/format.ts'

interface EmptyRowsProps {
  readonly resource: string
  readonly isFiltered: boolean
  readonly onClearFilters: () => void
  readonly onCreate: () => void
}

/** Instead of a table without rows: why there are none, and what to do about it. */
export function EmptyRows({ resource, isFiltered, onClearFilters, onCreate }: EmptyRowsProps) {
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

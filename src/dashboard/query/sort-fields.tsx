import type { Sort } from '../client/query.ts'
import { FieldInput } from './field-input.tsx'

interface SortFieldsProps {
  readonly sort: Sort
  readonly paths: readonly string[]
  readonly onChange: (sort: Sort) => void
}

/** Field and direction of one sort key. */
export function SortFields({ sort, paths, onChange }: SortFieldsProps) {
  return (
    <>
      <FieldInput
        label="Sort by"
        field={sort.field}
        paths={paths}
        onChange={(field) => onChange({ ...sort, field })}
      />
      <select
        class="choice"
        aria-label="Direction"
        value={sort.order}
        onChange={(event) =>
          onChange({ ...sort, order: event.currentTarget.value === 'desc' ? 'desc' : 'asc' })
        }
      >
        <option value="asc">ascending</option>
        <option value="desc">descending</option>
      </select>
    </>
  )
}

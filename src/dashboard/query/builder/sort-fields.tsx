import { useId } from 'preact/hooks'
import type { Sort } from '../../api/query.ts'

interface SortFieldsProps {
  readonly sort: Sort
  readonly paths: readonly string[]
  readonly onChange: (sort: Sort) => void
}

/** Field and direction of one sort key. */
export function SortFields({ sort, paths, onChange }: SortFieldsProps) {
  const list = useId()
  return (
    <>
      <input
        aria-label="Sort by"
        list={list}
        value={sort.field}
        onInput={(event) => onChange({ ...sort, field: event.currentTarget.value.trim() })}
      />
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
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

import { useRef, useState } from 'preact/hooks'
import { describeFilter, type Fields, type Filter, hasValue, newFilter } from '../client/operators.ts'
import type { QueryProps } from '../client/query.ts'
import { SearchInput } from '../parts/controls.tsx'
import { Icon } from '../parts/elements.tsx'
import { FilterFields } from '../parts/filter-fields.tsx'
import { shorten } from '../parts/format.ts'

/** Debounce: typing must pause before a request is sent. */
const TYPING_MS = 250

export function FilterBar({ query, fields, onChange }: QueryProps & { fields: Fields }) {
  const [draft, setDraft] = useState<Filter>()
  const [first = '', second = first] = fields.keys()
  const timer = useRef<number>(undefined)

  function search(text: string): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange({ q: text }), TYPING_MS)
  }

  function apply(event: Event): void {
    event.preventDefault()
    if (draft === undefined || !hasValue(draft)) return
    onChange({ filters: [...query.filters, draft] })
    setDraft(undefined)
  }

  return (
    <div class="filter-bar">
      <SearchInput label="Search all fields" initial={query.q} onInput={search} />
      {query.filters.map((filter, index) => {
        const text = shorten(describeFilter(filter), 80)
        return (
          <span class="chip" key={`${filter.field}${filter.operator}${index}`}>
            {text}
            <button
              type="button"
              aria-label={`Remove filter: ${text}`}
              onClick={() => onChange({ filters: query.filters.filter((other) => other !== filter) })}
            >
              <Icon name="close" />
            </button>
          </span>
        )
      })}
      {draft === undefined ? (
        <button type="button" class="quiet" onClick={() => setDraft(newFilter(second, fields.get(second)))}>
          <Icon name="filter" /> Filter
        </button>
      ) : (
        <form
          class="filter-form"
          onSubmit={apply}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(undefined)}
        >
          <FilterFields filter={draft} fields={fields} hasFocus onChange={setDraft} />
          <button type="submit" class="primary" disabled={!hasValue(draft)}>
            Apply
          </button>
          <button type="button" class="quiet" onClick={() => setDraft(undefined)}>
            Cancel
          </button>
        </form>
      )}
    </div>
  )
}

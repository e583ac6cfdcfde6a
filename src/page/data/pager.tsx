import type { Query, QueryProps } from '../client/query.ts'
import { IconButton, Select } from '../parts/controls.tsx'
import { formatCount } from '../parts/format.ts'

export const PAGE_SIZE = '25'

const SIZES = ['10', PAGE_SIZE, '50', '100']

export function lastPage(query: Query, total: number): number {
  return Math.max(1, Math.ceil(total / sizeOf(query)))
}

function sizeOf({ limit }: Query): number {
  return Math.max(1, Number(limit) || Number(PAGE_SIZE))
}

export function Pager({ query, total, onChange }: QueryProps & { total: number }) {
  const size = sizeOf(query)
  const last = lastPage(query, total)
  const page = Math.min(Math.max(1, Number(query.page) || 1), last)
  const first = (page - 1) * size + 1
  const to = (next: number) => onChange({ page: String(next), start: '', end: '' })

  if (total === 0) return null
  return (
    <nav class="pager" aria-label="Pages">
      <span class="pager-range">
        {formatCount(first)}–{formatCount(Math.min(page * size, total))} of {formatCount(total)}
      </span>
      <Select
        label="Rows"
        isLabelShown
        class="pager-size"
        options={SIZES.map((value) => [value, value])}
        value={query.limit}
        onChange={(limit) => onChange({ limit, page: '1' })}
      />
      <span class="spring" />
      <IconButton icon="left" label="Previous page" isDisabled={page <= 1} onClick={() => to(page - 1)} />
      <span class="pager-page">
        <input
          aria-label="Page"
          type="number"
          min={1}
          max={last}
          value={page}
          onChange={(event) => {
            const typed = Math.round(event.currentTarget.valueAsNumber)
            if (Number.isFinite(typed)) to(Math.min(Math.max(1, typed), last))
          }}
        />{' '}
        of {formatCount(last)}
      </span>
      <IconButton icon="right" label="Next page" isDisabled={page >= last} onClick={() => to(page + 1)} />
    </nav>
  )
}

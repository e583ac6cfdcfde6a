import type { Query } from '../client/query.ts'
import { Icon, type IconName } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'

interface PagerProps {
  readonly query: Query
  readonly total: number
  readonly onChange: (next: Partial<Query>) => void
}

const SIZES = ['10', '25', '50', '100']

/** Which part of the list is shown, and navigation to the rest. */
export function Pager({ query, total, onChange }: PagerProps) {
  const size = Math.max(1, Number(query.limit) || 25)
  const last = Math.max(1, Math.ceil(total / size))
  const page = Math.min(Math.max(1, Number(query.page) || 1), last)
  const first = total === 0 ? 0 : (page - 1) * size + 1
  const to = (next: number) => onChange({ page: String(next), start: '', end: '' })

  return (
    <nav class="pager" aria-label="Pages">
      <span class="pager-range">
        {formatCount(first)}–{formatCount(Math.min(page * size, total))} of {formatCount(total)}
      </span>
      <label class="pager-size">
        Rows{' '}
        <select
          value={query.limit}
          onChange={(event) => onChange({ limit: event.currentTarget.value, page: '1' })}
        >
          {[...new Set([...SIZES, query.limit])].filter(Boolean).map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      </label>
      <span class="spring" />
      <Step icon="left" label="Previous page" isOff={page <= 1} onClick={() => to(page - 1)} />
      <span class="pager-page">
        <input
          aria-label="Page"
          type="number"
          min={1}
          max={last}
          value={page}
          onChange={(event) => {
            const wanted = Math.round(event.currentTarget.valueAsNumber)
            if (Number.isFinite(wanted)) to(Math.min(Math.max(1, wanted), last))
          }}
        />{' '}
        of {formatCount(last)}
      </span>
      <Step icon="right" label="Next page" isOff={page >= last} onClick={() => to(page + 1)} />
    </nav>
  )
}

interface StepProps {
  readonly icon: IconName
  readonly label: string
  readonly isOff: boolean
  readonly onClick: () => void
}

function Step({ icon, label, isOff, onClick }: StepProps) {
  return (
    <button type="button" class="quiet square" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

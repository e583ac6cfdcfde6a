import type { Exchange } from '../../catalogue/exchange.ts'
import { ColumnTitles } from '../parts/column-titles.tsx'
import { formatBytes, formatClock, formatMs, shorten } from '../parts/format.ts'
import { MethodBadge, StatusBadge } from '../parts/status-badge.tsx'

interface RequestTableProps {
  readonly exchanges: readonly Exchange[]
  readonly open: Exchange | undefined
  readonly onOpen: (exchange: Exchange) => void
}

/** One row per request, newest first. */
export function RequestTable({ exchanges, open, onOpen }: RequestTableProps) {
  if (exchanges.length === 0) return <p class="hint">Requests appear here while this page is open.</p>
  return (
    <section class="grid-frame" aria-label="Requests">
      <table class="grid requests">
        <ColumnTitles titles={['Time', 'Method', 'Path', 'Status', 'Duration', 'Size', 'Refused by']} />
        <tbody>
          {exchanges.map((exchange) => (
            <tr
              key={exchange.id}
              class={exchange === open ? 'open' : undefined}
              onClick={() => onOpen(exchange)}
            >
              <td>{formatClock(exchange.time)}</td>
              <td>
                <MethodBadge method={exchange.method} />
              </td>
              <td class="path">
                <button type="button" class="link" onClick={() => onOpen(exchange)}>
                  {shorten(exchange.path, 160)}
                </button>
              </td>
              <td>
                <StatusBadge status={exchange.status} />
              </td>
              <td class="number">{formatMs(exchange.ms)}</td>
              <td class="number">{formatBytes(exchange.size)}</td>
              <td>{refusalOf(exchange)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function refusalOf({ layer, code }: Exchange): string {
  return [layer, code].filter(Boolean).join(' · ')
}

import { useState } from 'preact/hooks'
import type { Exchange } from '../../core/kernel/catalogue/exchange.ts'
import { accounts } from '../client/caller.ts'
import { exchanges, liveState } from '../client/live.ts'
import { absolute, MARK } from '../client/send.ts'
import { me } from '../client/service.ts'
import { Check, SearchInput, Select } from '../parts/controls.tsx'
import { ColumnTitles, Icon, MethodBadge, StatusBadge } from '../parts/elements.tsx'
import { formatBytes, formatClock, formatCount, formatMs, shorten } from '../parts/format.ts'
import { RequestPanel } from './request-panel.tsx'

export function RequestsView() {
  const [paused, setPaused] = useState<readonly Exchange[]>()
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const [withOwn, setWithOwn] = useState(false)
  const [cleared, setCleared] = useState<readonly Exchange[]>([])
  const [open, setOpen] = useState<Exchange>()

  const all = paused ?? exchanges.value
  const shown = all
    .filter((exchange) => !cleared.includes(exchange))
    .filter((exchange) => withOwn || exchange.requestHeaders[MARK] === undefined)
    .filter((exchange) => isOfKind(exchange, kind) && mentions(exchange, text))
    .toReversed()
  const waiting = paused ? exchanges.value.filter((exchange) => !paused.includes(exchange)).length : 0

  return (
    <main class="content" id="content">
      <div class="collection">
        <div class="collection-main">
          <header class="view-head">
            <h1>Requests</h1>
            <span class="count">{formatCount(shown.length)}</span>
            <span class="spring" />
            <button
              type="button"
              aria-pressed={paused !== undefined}
              onClick={() => setPaused(paused ? undefined : exchanges.value)}
            >
              <Icon name={paused ? 'play' : 'pause'} /> {paused ? `Resume (${waiting} new)` : 'Pause'}
            </button>
            <button type="button" onClick={() => setCleared(exchanges.value)}>
              Clear
            </button>
          </header>
          <div class="filter-bar">
            <SearchInput
              label="Filter requests"
              placeholder="Method, path, status, layer, code"
              onInput={setText}
            />
            <Select label="Kind of response" options={KINDS} value={kind} onChange={setKind} />
            <Check isOn={withOwn} onToggle={() => setWithOwn(!withOwn)}>
              Show this page's requests
            </Check>
          </div>
          {liveState.value === 'unsupported' && (
            <p class="hint">This server does not report its requests: it has no /__events.</p>
          )}
          {all.length === 0 && accounts.value && me.value?.role !== 'admin' ? (
            <p class="hint">Only admins can see requests.</p>
          ) : (
            <RequestTable exchanges={shown} open={open} onOpen={setOpen} />
          )}
        </div>
        {open && <RequestPanel key={open.id} exchange={open} onClose={() => setOpen(undefined)} />}
      </div>
    </main>
  )
}

type Kind = (typeof KINDS)[number][0]

const KINDS = [
  ['all', 'All responses'],
  ['good', 'Done'],
  ['failed', 'Failed'],
  ['refused', 'Refused by a layer'],
] as const

function isOfKind({ status, layer }: Exchange, kind: Kind): boolean {
  if (kind === 'good') return status > 0 && status < 400
  if (kind === 'failed') return status === 0 || status >= 400
  return kind === 'refused' ? layer !== undefined : true
}

/** Every word must be somewhere: `post 401` finds refused POSTs. */
function mentions({ method, path, status, layer, code }: Exchange, text: string): boolean {
  const all = `${method} ${path} ${status} ${layer ?? ''} ${code ?? ''}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

interface RequestTableProps {
  readonly exchanges: readonly Exchange[]
  readonly open: Exchange | undefined
  readonly onOpen: (exchange: Exchange) => void
}

function RequestTable({ exchanges, open, onOpen }: RequestTableProps) {
  if (exchanges.length === 0) {
    return (
      <p class="hint">
        Requests appear here as clients send them: when, with which status, what of them had no effect, who
        refused them, and both bodies. Send one: <code>curl {absolute('/')}</code>
      </p>
    )
  }
  return (
    <section class="grid-frame" aria-label="Requests">
      <table class="grid requests">
        <ColumnTitles titles={['Time', 'Status', 'Method', 'Path', 'Notes', 'Duration', 'Size']} />
        <tbody>
          {exchanges.map((exchange) => (
            <tr
              key={exchange.id}
              class={`${exchange === open ? 'open' : ''} ${markOf(exchange)}`}
              onClick={() => onOpen(exchange)}
            >
              <td>{formatClock(exchange.time)}</td>
              <td>
                <StatusBadge status={exchange.status} />
              </td>
              <td>
                <MethodBadge method={exchange.method} />
              </td>
              <td class="path">
                <button type="button" class="link" onClick={() => onOpen(exchange)}>
                  {shorten(exchange.path, 160)}
                </button>
              </td>
              <td>{notesOf(exchange)}</td>
              <td class="number">{formatMs(exchange.ms)}</td>
              <td class="number">{formatBytes(exchange.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Rows with something to look at have a colored edge. */
function markOf({ layer, code, ignored = [] }: Exchange): string {
  return layer !== undefined || code !== undefined ? 'refused' : ignored.length > 0 ? 'ignoring' : ''
}

/** `Refused by jwt · AUTH_REQUIRED`, `Ignored pirce_gt` */
function notesOf({ layer, code, ignored = [] }: Exchange): string {
  const names = ignored.map(({ name }) => name).join(', ')
  const refusal = [layer && `Refused by ${layer}`, code].filter(Boolean).join(' · ')
  return [refusal, names && `Ignored ${shorten(names, 80)}`].filter(Boolean).join(', ')
}

import { ColumnTitles } from '../parts/column-titles.tsx'
import { formatClock, shorten } from '../parts/format.ts'
import { MethodBadge } from '../parts/status-badge.tsx'
import { type Entry, summaryOf } from './entries.ts'

interface HistoryTableProps {
  readonly entries: readonly Entry[]
  readonly open: Entry | undefined
  readonly onOpen: (entry: Entry) => void
}

/** One row per change, newest first. */
export function HistoryTable({ entries, open, onOpen }: HistoryTableProps) {
  if (entries.length === 0) {
    return (
      <p class="hint">Nothing has changed since the start, the last reset or the last edit of the file.</p>
    )
  }
  return (
    <section class="grid-frame" aria-label="Changes">
      <table class="grid requests">
        <ColumnTitles titles={['Time', 'What changed', 'Method', 'Request', 'State']} />
        <tbody>
          {entries.map((entry) => (
            <tr
              key={entry.version}
              class={[entry === open && 'open', entry.undone && 'undone'].filter(Boolean).join(' ')}
              onClick={() => onOpen(entry)}
            >
              <td>{formatClock(entry.at)}</td>
              <td>
                <button type="button" class="link" onClick={() => onOpen(entry)}>
                  {shorten(summaryOf(entry), 120)}
                </button>
              </td>
              <td>{entry.method !== null && <MethodBadge method={entry.method} />}</td>
              <td class="path">{shorten(entry.url ?? 'not by a request', 120)}</td>
              <td>{stateOf(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function stateOf({ undone, undoes, redoes }: Entry): string {
  if (undone) return 'undone'
  return undoes ? 'undo' : redoes ? 'redo' : ''
}

import { useState } from 'preact/hooks'
import { revisionOfAll } from '../client/live.ts'
import { isOk } from '../client/send.ts'
import { useActions } from '../client/use-response.ts'
import { ConfirmButton } from '../parts/controls.tsx'
import { ColumnTitles, MethodBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatClock, formatCount, shorten } from '../parts/format.ts'
import { notify } from '../parts/notices.tsx'
import { ChangePanel } from './change-panel.tsx'
import { type Entry, entriesIn, HISTORY, newestIn, REDO, RESET, summaryOf, UNDO } from './entries.ts'

export function HistoryView() {
  const [version, setVersion] = useState<number>()
  const { response, failure, act } = useActions(`${HISTORY}?_limit=100`, revisionOfAll())
  const entries = entriesIn(response)
  const open = entries.find((entry) => entry.version === version)
  const newest = newestIn(entries)
  // A newer change makes a redo impossible.
  const isRedoable = (entry: Entry) => entry.undone === true && entry.version > (newest?.version ?? 0)

  async function post(path: string, done: string, body?: object): Promise<void> {
    if (isOk(await act('POST', path, body))) notify(done)
  }

  return (
    <main class="content" id="content">
      <div class="collection">
        <div class="collection-main">
          <header class="view-head">
            <h1>History</h1>
            <span class="count">{formatCount(entries.length)}</span>
            <span class="spring" />
            <button type="button" disabled={newest === undefined} onClick={() => post(UNDO, 'Undone')}>
              Undo
            </button>
            <button type="button" disabled={!entries.some(isRedoable)} onClick={() => post(REDO, 'Redone')}>
              Redo
            </button>
            <ConfirmButton
              label="Reset"
              question="Reset all data?"
              onConfirm={() => post(RESET, 'All data was reset')}
            />
          </header>
          {response && !isOk(response) && <Failure response={response} />}
          {failure && <Failure response={failure} />}
          {response && isOk(response) && (
            <HistoryTable entries={entries} open={open} onOpen={(entry) => setVersion(entry.version)} />
          )}
        </div>
        {open && (
          <ChangePanel
            key={open.version}
            entry={open}
            isRedoable={isRedoable(open)}
            onUndo={() => post(UNDO, 'Undone with everything after', { to: open.version - 1 })}
            onRedo={() => post(REDO, 'Redone up to there', { to: open.version })}
            onClose={() => setVersion(undefined)}
          />
        )}
      </div>
    </main>
  )
}

interface HistoryTableProps {
  readonly entries: readonly Entry[]
  readonly open: Entry | undefined
  readonly onOpen: (entry: Entry) => void
}

function HistoryTable({ entries, open, onOpen }: HistoryTableProps) {
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
            <tr key={entry.version} class={entry === open ? 'open' : undefined} onClick={() => onOpen(entry)}>
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

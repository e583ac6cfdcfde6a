import { useState } from 'preact/hooks'
import { revisionOfAll } from '../client/live.ts'
import { isOk, send } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { ColumnTitles, ConfirmButton, MethodBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatClock, formatCount, shorten } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { ChangePanel } from './change-panel.tsx'
import { type Entry, entriesIn, HISTORY, newestIn, REDO, RESET, summaryOf, UNDO } from './entries.ts'

/** What changed, by which request, and the way back. */
export function HistoryView() {
  const [turn, setTurn] = useState(0)
  const [version, setVersion] = useState<number>()
  const response = useResponse(`${HISTORY}?_limit=100`, `${turn} ${revisionOfAll()}`)
  const entries = entriesIn(response)
  const open = entries.find((entry) => entry.version === version)
  const newest = newestIn(entries)
  // What was undone before a newer change cannot come back.
  const isRedoable = (entry: Entry) => entry.undone === true && entry.version > (newest?.version ?? 0)

  async function act(path: string, done: string, to?: number): Promise<void> {
    const outcome = await send('POST', path, to === undefined ? {} : { body: JSON.stringify({ to }) })
    if (isOk(outcome)) notify(done)
    else notifyFailure(outcome)
    setTurn((before) => before + 1)
  }

  return (
    <main class="content" id="content">
      <div class={open ? 'collection with-panel' : 'collection'}>
        <div class="collection-main">
          <header class="view-head">
            <h1>History</h1>
            <span class="count">{formatCount(entries.length)}</span>
            <span class="spring" />
            <button type="button" disabled={newest === undefined} onClick={() => act(UNDO, 'Undone')}>
              Undo
            </button>
            <button
              type="button"
              disabled={!entries.some(isRedoable)}
              onClick={() => act(REDO, 'Made again')}
            >
              Redo
            </button>
            <ConfirmButton
              label="Reset"
              question="Put all data back?"
              onConfirm={() => act(RESET, 'Everything is as it was at the beginning')}
            />
          </header>
          {response && !isOk(response) && <Failure response={response} />}
          <HistoryTable entries={entries} open={open} onOpen={(entry) => setVersion(entry.version)} />
        </div>
        {open && (
          <ChangePanel
            key={open.version}
            entry={open}
            isRedoable={isRedoable(open)}
            onUndo={() => act(UNDO, 'Undone from there on', open.version - 1)}
            onRedo={() => act(REDO, 'Made again up to there', open.version)}
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

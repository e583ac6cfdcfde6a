import { useState } from 'preact/hooks'
import {
  describeRow,
  type Entry,
  entriesIn,
  HISTORY,
  newestIn,
  REDO,
  RESET,
  type RowChange,
  summaryOf,
  UNDO,
} from '../client/history.ts'
import { revisionOfAll } from '../client/live.ts'
import { isOk } from '../client/send.ts'
import { useActions } from '../client/use-response.ts'
import { ConfirmButton } from '../parts/controls.tsx'
import { ColumnTitles, MethodBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatClock, formatCount, formatMoment, shorten } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { notify } from '../parts/notices.tsx'
import { Panel } from '../parts/side-panels.tsx'

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
      <p class="hint">
        Nothing has changed since the start, the last reset or the last edit of the file. Each change appears
        here: when, by which request, and the rows before and after, to undo it or everything since.
      </p>
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

interface ChangePanelProps {
  readonly entry: Entry
  readonly isRedoable: boolean
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onClose: () => void
}

/** A filtered write may have changed thousands of rows. */
const MOST_ROWS = 50

function ChangePanel({ entry, isRedoable, onUndo, onRedo, onClose }: ChangePanelProps) {
  const { at, method, url, undone, undoes, redoes, changes, version } = entry
  const isMove = undoes !== undefined || redoes !== undefined
  return (
    <Panel title={shorten(summaryOf(entry), 60)} onClose={onClose}>
      <div class="actions">
        <p class="measure">
          <span>{formatMoment(at)}</span> <span>version {version}</span>
        </p>
        <span class="spring" />
        {!isMove && !undone && (
          <button type="button" onClick={onUndo}>
            Undo this and everything after
          </button>
        )}
        {isRedoable && (
          <button type="button" onClick={onRedo}>
            Redo up to here
          </button>
        )}
      </div>
      {method !== null && (
        <p class="full-path">
          {method} {url}
        </p>
      )}
      {changes.slice(0, MOST_ROWS).map((change, at) => (
        <RowSides key={at} change={change} />
      ))}
      {changes.length > MOST_ROWS && <p class="hint">And {changes.length - MOST_ROWS} more.</p>}
    </Panel>
  )
}

function RowSides({ change }: { change: RowChange }) {
  const { before, after } = change
  return (
    <section>
      <h3>{describeRow(change)}</h3>
      {before && <Side title="Before" row={before} other={after} />}
      {after && <Side title="After" row={after} other={before} />}
    </section>
  )
}

/** Of a row that was updated, only the fields that differ. */
function Side({ title, row, other }: { title: string; row: object; other: object | undefined }) {
  const fields = other ? Object.fromEntries(Object.entries(row).filter(isOther(other))) : row
  return (
    <>
      <h4>{title}</h4>
      <JsonTree value={fields} />
    </>
  )
}

function isOther(other: object): ([name, value]: [string, unknown]) => boolean {
  return ([name, value]) =>
    !Object.hasOwn(other, name) || JSON.stringify(Reflect.get(other, name)) !== JSON.stringify(value)
}

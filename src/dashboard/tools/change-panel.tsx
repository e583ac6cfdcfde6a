import { formatMoment, shorten } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { Panel } from '../parts/side-panels.tsx'
import { describeRow, type Entry, type RowChange, summaryOf } from './entries.ts'

interface ChangePanelProps {
  readonly entry: Entry
  readonly isRedoable: boolean
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onClose: () => void
}

/** A filtered write may have changed thousands of rows. */
const MOST_ROWS = 50

export function ChangePanel({ entry, isRedoable, onUndo, onRedo, onClose }: ChangePanelProps) {
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

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { revisionOf } from '../client/live.ts'
import { EMPTY_QUERY, formatQuery, pathOf } from '../client/query.ts'
import { formatRoute, go, NEW } from '../client/route.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { idField, resources, service } from '../client/service.ts'
import { useReload } from '../client/use-response.ts'
import { RowEditor } from '../form/row-editor.tsx'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { Icon, Pairs } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { capitalize, rowName, shorten } from '../parts/format.ts'
import { JsonTree, LongText } from '../parts/json-tree.tsx'
import { Panel } from '../parts/side-panels.tsx'
import { AddField } from './add-field.tsx'
import { deleteRow } from './delete-rows.ts'
import { KeyValue } from './key-value.tsx'
import { idsIn, type Key, keysOf } from './keys.ts'
import { idOf, type Row } from './rows.ts'

interface RowPanelProps {
  readonly resource: ResourceInfo
  readonly id: string
  /** The rows beside the panel. */
  readonly rows: readonly Row[]
  readonly onClose: () => void
}

export function RowPanel(props: RowPanelProps) {
  return props.id === NEW ? <NewRow {...props} /> : <ExistingRow {...props} />
}

function NewRow({ resource, rows, onClose }: RowPanelProps) {
  function open(saved: unknown): void {
    const id = isObject(saved) ? idOf(saved, idField(resource.name)) : undefined
    if (id === undefined) onClose()
    else go({ view: 'data', resource: resource.name, query: '', id })
  }
  return (
    <Panel title={`New ${rowName(resource.name)}`} onClose={onClose}>
      <RowEditor resource={resource.name} rows={rows} onDone={open} onCancel={onClose} />
    </Panel>
  )
}

function ExistingRow({ resource, id, rows, onClose }: RowPanelProps) {
  const path = pathOf(resource.name, id)
  const { response, reload } = useReload(path, revisionOf(resource.name))
  const [isEditing, setEditing] = useState(false)
  const [failure, setFailure] = useState<ApiResponse>()
  const isDeleting = useRef(false)
  const row = response && isOk(response) && isObject(response.data) ? response.data : undefined
  // A failure belongs to one version of one row.
  useEffect(() => setFailure(undefined), [path, response?.text])

  /** Ends editing, and moves the focus of the form that goes. */
  function leave(goal: string): void {
    setEditing(false)
    setTimeout(() => document.querySelector<HTMLElement>(goal)?.focus())
  }

  async function remove(): Promise<void> {
    if (response === undefined) return
    isDeleting.current = true
    const outcome = await deleteRow(resource.name, id, response.text)
    isDeleting.current = false
    if (outcome === undefined) return
    if (isOk(outcome)) onClose()
    else setFailure(outcome)
  }

  return (
    <Panel title={capitalize(rowName(resource.name, shorten(id, 40)))} onClose={onClose}>
      {response && !row && !isEditing && !isDeleting.current && <Failure response={response} />}
      {row && !isEditing && (
        <>
          <div class="actions">
            {!service.value?.readOnly && (
              <>
                <button type="button" onClick={() => setEditing(true)}>
                  <Icon name="edit" /> Edit
                </button>
                <button type="button" class="danger" onClick={remove}>
                  <Icon name="trash" /> Delete
                </button>
              </>
            )}
            {!service.value?.readOnly && (
              <AddField resource={resource.name} names={Object.keys(row)} id={id} />
            )}
            <span class="spring" />
            <CopyMenu path={path} />
          </div>
          {failure && <Failure response={failure} onRetry={remove} />}
          <RowDetails resource={resource} row={row} id={id} />
        </>
      )}
      {response && isEditing && (
        <RowEditor
          resource={resource.name}
          id={id}
          current={response}
          rows={rows}
          reload={reload}
          onDone={() => leave('.grid tr.open a')}
          onCancel={() => leave('.panel .actions button')}
        />
      )}
    </Panel>
  )
}

export function RowDetails({ resource, row, id }: { resource: ResourceInfo; row: Row; id?: string }) {
  const children = resources.value.flatMap(({ name, relations }) =>
    relations.filter((one) => one.resource === resource.name).map(({ field }) => ({ name, field })),
  )
  const keys = keysOf(resource)
  return (
    <>
      <Pairs
        kind="fields"
        pairs={Object.entries(row).map(([name, value]) => [
          shorten(name, 200),
          <FieldValue key={name} to={keys.get(name)} value={value} />,
        ])}
      />
      {id !== undefined && children.length > 0 && (
        <nav class="related" aria-label="Related rows">
          <h3>Related</h3>
          {children.map(({ name, field }) => (
            <a key={`${name} ${field}`} href={linkToChildren(name, field, id)}>
              {name}
              <span class="count">
                {field} = {shorten(id, 20)}
              </span>
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

function FieldValue({ to, value }: { to: Key | undefined; value: unknown }) {
  if (to && idsIn(to, value)) return <KeyValue to={to} value={value} />
  if (typeof value === 'string') return <LongText text={value} />
  // A few items can be read at a glance; many get one line each.
  const isLong = Array.isArray(value) && value.length > 3
  return <JsonTree value={value} depth={isLong ? 1 : 2} />
}

function linkToChildren(resource: string, field: string, id: string): string {
  const query = formatQuery({ ...EMPTY_QUERY, filters: [{ field, operator: '', value: id }] })
  return formatRoute({ view: 'data', resource, query })
}

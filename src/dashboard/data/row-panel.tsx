import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { isObject } from '../../json/record.ts'
import { revisionOf } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { go, NEW } from '../client/route.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { idField, service } from '../client/service.ts'
import { useResponse } from '../client/use-response.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { Failure } from '../parts/failure.tsx'
import { shorten } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Panel } from '../parts/panel.tsx'
import { deleteRow } from './delete-row.ts'
import { fieldsOfRow, newFields } from './form-fields.ts'
import { RowDetails } from './row-details.tsx'
import { RowEditor } from './row-editor.tsx'
import { idOf, type Row } from './rows.ts'
import { useFieldSchemas } from './use-field-schemas.ts'

interface RowPanelProps {
  readonly resource: ResourceInfo
  readonly id: string
  /** A row whose fields a new one starts with. */
  readonly template: Row | undefined
  readonly onClose: () => void
}

/** One row beside the table, to view, edit or delete; or a new one. */
export function RowPanel(props: RowPanelProps) {
  return props.id === NEW ? <NewRow {...props} /> : <ExistingRow {...props} />
}

function NewRow({ resource, template, onClose }: RowPanelProps) {
  const schemas = useFieldSchemas(resource.name)
  // The one it started with: the first row may go while this one is filled in.
  const [example] = useState(template ?? {})
  function open(saved: unknown): void {
    const id = isObject(saved) ? idOf(saved, idField()) : undefined
    if (id === undefined) onClose()
    else go({ view: 'data', resource: resource.name, query: '', id })
  }
  return (
    <Panel title={`New in ${resource.name}`} onClose={onClose}>
      <RowEditor
        resource={resource.name}
        isNew
        fields={newFields(example, schemas, idField())}
        schemas={schemas}
        json={'{\n  \n}'}
        onDone={open}
        onCancel={onClose}
      />
    </Panel>
  )
}

function ExistingRow({ resource, id, onClose }: RowPanelProps) {
  const path = pathOf(resource.name, id)
  const response = useResponse(path, revisionOf(resource.name))
  const [edited, setEdited] = useState<ApiResponse>()
  const schemas = useFieldSchemas(edited && resource.name)
  const [failure, setFailure] = useState<ApiResponse>()
  const isDeleting = useRef(false)
  const row = response && isOk(response) && isObject(response.data) ? response.data : undefined
  // Of another row, or of this one as it was: the same row may come again at any time.
  useEffect(() => setFailure(undefined), [path, response?.text])

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
    <Panel title={`${resource.name} ${shorten(id, 40)}`} onClose={onClose}>
      {response && !row && !isDeleting.current && <Failure response={response} />}
      {row && response && edited === undefined && (
        <>
          <div class="actions">
            {!service.value?.readOnly && (
              <>
                <button type="button" onClick={() => setEdited(response)}>
                  <Icon name="edit" /> Edit
                </button>
                <button type="button" class="danger" onClick={remove}>
                  <Icon name="trash" /> Delete
                </button>
              </>
            )}
            <span class="spring" />
            <CopyMenu path={path} />
          </div>
          {failure && <Failure response={failure} onRetry={remove} />}
          <RowDetails resource={resource} row={row} id={id} />
        </>
      )}
      {row && response && edited !== undefined && isObject(edited.data) && (
        <>
          {edited.text !== response.text && (
            <p class="note" role="status">
              This row was changed elsewhere.{' '}
              <button type="button" class="link" onClick={() => setEdited(response)}>
                Start again from the new version
              </button>
            </p>
          )}
          <RowEditor
            key={edited.text}
            resource={resource.name}
            id={id}
            isNew={false}
            fields={fieldsOfRow(edited.data, schemas, idField())}
            schemas={schemas}
            json={edited.text}
            onDone={() => setEdited(undefined)}
            onCancel={() => setEdited(undefined)}
          />
        </>
      )}
    </Panel>
  )
}

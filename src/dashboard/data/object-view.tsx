import { useState } from 'preact/hooks'
import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { isObject } from '../../json/record.ts'
import { revisionOf } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { service } from '../client/service.ts'
import { useResponse } from '../client/use-response.ts'
import { Failure } from '../parts/failure.tsx'
import { Icon } from '../parts/icon.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { fieldsOfRow } from './form-fields.ts'
import { RowDetails } from './row-details.tsx'
import { RowEditor } from './row-editor.tsx'
import { UrlBar } from './url-bar.tsx'
import { useFieldSchemas } from './use-field-schemas.ts'

/** A single object, as in `{ "profile": { … } }`. */
export function ObjectView({ resource }: { resource: ResourceInfo }) {
  const path = pathOf(resource.name)
  const response = useResponse(path, revisionOf(resource.name))
  const [edited, setEdited] = useState<ApiResponse>()
  const schemas = useFieldSchemas(edited && resource.name)
  return (
    <div class="collection-main">
      <header class="view-head">
        <h1>{resource.name}</h1>
        <span class="spring" />
        {!service.value?.readOnly && response && edited === undefined && (
          <button type="button" onClick={() => setEdited(response)}>
            <Icon name="edit" /> Edit
          </button>
        )}
      </header>
      <UrlBar path={path} response={response} />
      <div class="sheet">
        {response && !isOk(response) && <Failure response={response} />}
        {edited !== undefined && isObject(edited.data) ? (
          <RowEditor
            resource={resource.name}
            isNew={false}
            fields={fieldsOfRow(edited.data, schemas)}
            schemas={schemas}
            json={edited.text}
            onDone={() => setEdited(undefined)}
            onCancel={() => setEdited(undefined)}
          />
        ) : isObject(response?.data) ? (
          <RowDetails resource={resource} row={response.data} />
        ) : (
          <JsonTree value={response?.data} />
        )}
      </div>
    </div>
  )
}

import { useState } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { revisionOf } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { mayRead } from '../client/refusal.ts'
import type { Route } from '../client/route.ts'
import { isOk } from '../client/send.ts'
import { isServiceLoaded, loadService, me, resources, service, serviceFailure } from '../client/service.ts'
import { useReload } from '../client/use-response.ts'
import { RowEditor } from '../form/row-editor.tsx'
import { UrlBar } from '../parts/copy-menu.tsx'
import { Icon } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { SideNav } from '../parts/side-panels.tsx'
import { CollectionView } from './collection-view.tsx'
import { NewCollection } from './new-collection.tsx'
import { RowDetails } from './row-panel.tsx'

export function BrowseView({ at }: { at: Route & { view: 'data' } }) {
  const all = resources.value
  const chosen = at.resource === undefined ? all[0] : all.find(({ name }) => name === at.resource)
  return (
    <div class="data-view">
      <SideNav
        label="Resources"
        items={all.map((one) => ({
          name: one.name,
          to: { view: 'data', resource: one.name, query: '' },
          isChosen: one === chosen,
          count: mayRead(one, all, me.value) ? countOf(one) : <Lock />,
        }))}
      >
        <NewCollection />
      </SideNav>
      <main class="content" id="content">
        {chosen?.kind === 'collection' && <CollectionView key={chosen.name} resource={chosen} at={at} />}
        {chosen?.kind === 'object' && <ObjectView key={chosen.name} resource={chosen} />}
        {chosen === undefined && <NoResource name={at.resource} />}
      </main>
    </div>
  )
}

function countOf({ kind, count }: ResourceInfo): string {
  return kind === 'object' || count === null ? 'object' : formatCount(count)
}

function Lock() {
  return (
    <span class="lock" title="You may not read it">
      <Icon name="lock" />
      <span class="hidden">locked</span>
    </span>
  )
}

function NoResource({ name }: { name: string | undefined }) {
  if (!isServiceLoaded.value) return <p class="hint">Loading…</p>
  const failure = serviceFailure.value
  if (failure !== undefined && failure.status !== 404)
    return <Failure response={failure} onRetry={loadService} />
  if (failure !== undefined) {
    return (
      <p class="hint">
        This server does not list its resources. <a href="#/query">Query it directly</a>.
      </p>
    )
  }
  if (name !== undefined) return <p class="hint">There is no resource called “{name}” here.</p>
  return (
    <p class="hint">
      There is no data yet. A collection appears here as a table, with its API at /posts: add one with the
      button, or {'{ "posts": [] }'} to the data file.
    </p>
  )
}

/** A single object, as in `{ "profile": { … } }`. */
function ObjectView({ resource }: { resource: ResourceInfo }) {
  const path = pathOf(resource.name)
  const { response, reload } = useReload(path, revisionOf(resource.name))
  const [isEditing, setEditing] = useState(false)
  return (
    <div class="collection-main">
      <header class="view-head">
        <h1>{resource.name}</h1>
        <span class="spring" />
        {!service.value?.readOnly && response && isOk(response) && !isEditing && (
          <button type="button" onClick={() => setEditing(true)}>
            <Icon name="edit" /> Edit
          </button>
        )}
      </header>
      {response && !isOk(response) && <Failure response={response} />}
      <UrlBar path={path} response={response} />
      <div class="sheet">
        {isEditing && response ? (
          <RowEditor
            resource={resource.name}
            current={response}
            reload={reload}
            onDone={() => setEditing(false)}
            onCancel={() => setEditing(false)}
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

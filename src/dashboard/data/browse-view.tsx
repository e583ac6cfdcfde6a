import type { Route } from '../client/route.ts'
import { isServiceLoaded, loadService, resources, serviceFailure } from '../client/service.ts'
import { Failure } from '../parts/failure.tsx'
import { formatCount } from '../parts/format.ts'
import { SideNav } from '../parts/side-nav.tsx'
import { CollectionView } from './collection-view.tsx'
import { ObjectView } from './object-view.tsx'

/** The data: resources at the side, the rows of one of them in the middle. */
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
          count: one.kind === 'object' || one.count === null ? 'object' : formatCount(one.count),
        }))}
      />
      <main class="content" id="content">
        {chosen?.kind === 'collection' && <CollectionView key={chosen.name} resource={chosen} at={at} />}
        {chosen?.kind === 'object' && <ObjectView key={chosen.name} resource={chosen} />}
        {chosen === undefined && <NoResource asked={at.resource} />}
      </main>
    </div>
  )
}

function NoResource({ asked }: { asked: string | undefined }) {
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
  if (asked !== undefined) return <p class="hint">There is no resource called “{asked}” here.</p>
  return (
    <p class="hint">There is no data yet. Add a collection, such as {'{ "posts": [] }'}, to the data file.</p>
  )
}

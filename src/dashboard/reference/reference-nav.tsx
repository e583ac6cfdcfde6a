import { formatRoute } from '../state/route.ts'
import type { Resource } from './read-document.ts'

/** The overview, and each resource. */
export function ReferenceNav({
  resources,
  chosen,
}: {
  resources: readonly Resource[]
  chosen: string | undefined
}) {
  return (
    <nav class="resources" aria-label="API">
      <ul>
        <li>
          <a href={formatRoute({ view: 'api' })} aria-current={chosen === undefined ? 'page' : undefined}>
            <span class="resource-name">Overview</span>
          </a>
        </li>
        {resources.map(({ name, kind }) => (
          <li key={name}>
            <a
              href={formatRoute({ view: 'api', resource: name })}
              aria-current={name === chosen ? 'page' : undefined}
            >
              <span class="resource-name">{name}</span>
              {kind === 'object' && <span class="count">object</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

import { formatCount } from '../parts/format.ts'
import { formatRoute } from '../state/route.ts'
import { resources } from '../state/service.ts'

/** Every collection and object, with its count. */
export function ResourceNav({ chosen }: { chosen: string | undefined }) {
  return (
    <nav class="resources" aria-label="Resources">
      <ul>
        {resources.value.map(({ name, kind, count }) => (
          <li key={name}>
            <a
              href={formatRoute({ view: 'data', resource: name, query: '' })}
              aria-current={name === chosen ? 'page' : undefined}
            >
              <span class="resource-name">{name}</span>
              <span class="count">{kind === 'object' || count === null ? 'object' : formatCount(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

import { formatRoute, type Route } from '../client/route.ts'

interface SideItem {
  readonly name: string
  readonly to: Route
  readonly isChosen: boolean
  /** Beside the name. */
  readonly count?: string | undefined
}

/** Links to each of some things, at the side. */
export function SideNav({ label, items }: { label: string; items: readonly SideItem[] }) {
  return (
    <nav class="resources" aria-label={label}>
      <ul>
        {items.map(({ name, to, isChosen, count }) => (
          <li key={formatRoute(to)}>
            <a href={formatRoute(to)} aria-current={isChosen ? 'page' : undefined}>
              <span class="resource-name">{name}</span>
              {count !== undefined && <span class="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

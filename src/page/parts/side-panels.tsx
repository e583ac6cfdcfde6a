import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { formatRoute, type Route } from '../client/route.ts'
import { IconButton } from './controls.tsx'

interface SideItem {
  readonly name: string
  readonly to: Route
  readonly isChosen: boolean
  readonly count?: ComponentChildren
}

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

interface PanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Details beside the list they belong to. Escape closes the panel and returns focus there. */
export function Panel({ title, onClose, children }: PanelProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <section class="panel" aria-labelledby={id} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="panel-body">{children}</div>
    </section>
  )
}

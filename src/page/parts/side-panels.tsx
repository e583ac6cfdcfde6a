import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { formatRoute, type Route } from '../client/route.ts'
import { IconButton } from './controls.tsx'

interface SideItem {
  readonly name: string
  readonly to: Route
  readonly isChosen: boolean
  readonly count?: ComponentChildren
}

interface SideNavProps {
  readonly label: string
  readonly items: readonly SideItem[]
  /** Below the items. */
  readonly children?: ComponentChildren
}

export function SideNav({ label, items, children }: SideNavProps) {
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
        {children && <li>{children}</li>}
      </ul>
    </nav>
  )
}

interface PanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Details beside the list they belong to. Escape, in the list as well, closes the panel and returns focus there. */
export function Panel({ title, onClose, children }: PanelProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  // Before the next key is pressed, which may be Escape.
  useLayoutEffect(() => {
    const before = document.activeElement
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isForOther(event.target)) close.current()
    }
    document.addEventListener('keydown', closeOnEscape)
    // A form has focused its first field.
    if (!heading.current?.closest('.panel')?.contains(before)) heading.current?.focus()
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <section class="panel" aria-labelledby={id}>
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

/** Whether Escape closes something above the page, or clears a search. */
function isForOther(target: EventTarget | null): boolean {
  const isSearching = target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''
  return isSearching || document.querySelector('dialog[open], :popover-open') !== null
}

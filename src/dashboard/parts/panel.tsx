import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

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
        <button type="button" class="quiet square" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-body">{children}</div>
    </section>
  )
}

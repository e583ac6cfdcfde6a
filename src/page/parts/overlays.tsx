import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './elements.tsx'

interface DialogProps {
  readonly labelledBy: string
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

/** A modal dialog, open as long as it is rendered. Then focus returns to where it was. */
export function Dialog({ labelledBy, onCancel, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Not before the key that opens it is done with: Escape would close it again.
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={labelledBy} onCancel={onCancel}>
      {children}
    </dialog>
  )
}

interface ConfirmDialogProps {
  readonly title: string
  /** The titles of the buttons. */
  readonly yes: string
  readonly no: string
  readonly onChoose: (isSure: boolean) => void
  readonly children: ComponentChildren
}

/** Asks before something is lost. */
export function ConfirmDialog({ title, yes, no, onChoose, children }: ConfirmDialogProps) {
  const id = useId()
  return (
    <Dialog labelledBy={id} onCancel={() => onChoose(false)}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="actions">
        <button type="button" class="danger" onClick={() => onChoose(true)}>
          {yes}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the safe choice is the one that Enter gives */}
        <button type="button" autoFocus onClick={() => onChoose(false)}>
          {no}
        </button>
      </div>
    </Dialog>
  )
}

interface PopoverMenuProps {
  /** Of the menu, for screen readers. Its button has the id `<name>-button`. */
  readonly name: string
  readonly icon: IconName
  /** Of the button, for screen readers. */
  readonly label: string
  readonly title: string
  readonly text: ComponentChildren
  readonly onOpen?: () => void
  /** `choose` closes the menu and runs what was chosen. */
  readonly children: (choose: (act: () => void) => void) => ComponentChildren
}

export function PopoverMenu({ name, icon, label, title, text, onOpen, children }: PopoverMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const id = name.toLowerCase()
  return (
    <>
      <button
        type="button"
        id={`${id}-button`}
        class="quiet session-button"
        popovertarget={`${id}-menu`}
        aria-label={label}
        title={title}
      >
        <Icon name={icon} />
        <span class="session-name">{text}</span>
      </button>
      <div
        id={`${id}-menu`}
        class="session-menu"
        popover="auto"
        role="dialog"
        aria-label={name}
        ref={menu}
        onToggle={(event) => event.newState === 'open' && onOpen?.()}
      >
        {children((act) => {
          menu.current?.hidePopover()
          act()
        })}
      </div>
    </>
  )
}

interface DropDownProps {
  readonly summary: ComponentChildren
  /** For screen readers, where the summary is only an icon. */
  readonly label?: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A menu below its button, until Escape, or until something else is clicked or focused. */
export function DropDown({ summary, label, children }: DropDownProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    function closeOutside(event: Event): void {
      if (menu.current && event.target instanceof Node && !menu.current.contains(event.target))
        menu.current.open = false
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [])

  function close(): void {
    if (menu.current) menu.current.open = false
    menu.current?.querySelector('summary')?.focus()
  }

  return (
    <details
      class="menu"
      ref={menu}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        close()
        // Close only the menu, not the panel around it.
        event.stopPropagation()
      }}
      onFocusOut={(event) => {
        const isInside =
          event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (event.relatedTarget !== null && !isInside) event.currentTarget.open = false
      }}
    >
      <summary class="button quiet" aria-label={label}>
        {summary}
      </summary>
      {isOpen && <div class="menu-items">{children(close)}</div>}
    </details>
  )
}

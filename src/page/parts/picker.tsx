import type { ComponentProps } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Item {
  readonly id: string | number
  readonly name: string
}

interface PickerProps
  extends Pick<
    ComponentProps<'input'>,
    'id' | 'disabled' | 'placeholder' | 'aria-required' | 'aria-invalid' | 'aria-describedby'
  > {
  readonly 'data-field'?: string
  /** The current choice, shown unless the user searches. */
  readonly text: string
  /** Of the list, for screen readers. */
  readonly label: string
  /** Resolves to undefined if the search failed. */
  readonly search: (text: string) => Promise<readonly Item[] | undefined>
  readonly onChoose: (item: Item) => void
}

/** Debounce: typing must pause before a search. */
const TYPING_MS = 150

/** The height in pixels of a full list and what surrounds it. */
const ROOM = 340

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * A text input with a list of what matches the text (a combobox as ARIA describes it). Only Enter and a click choose:
 * arrow keys and leaving the input change nothing.
 */
export function Picker(props: PickerProps) {
  const { text, label, search, onChoose, ...attributes } = props
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [isAbove, setAbove] = useState(false)
  const [found, setFound] = useState<readonly Item[] | 'nothing yet' | 'failed'>('nothing yet')
  const [active, setActive] = useState(0)
  const items = typeof found === 'string' ? [] : found
  const current = isOpen ? items[active] : undefined

  useEffect(() => {
    if (!isOpen) return
    let isCurrent = true
    setFound('nothing yet')
    const timer = setTimeout(
      async () => {
        const result = await search((typed ?? '').trim())
        if (!isCurrent) return
        setFound(result ?? 'failed')
        setActive(0)
      },
      typed === undefined ? 0 : TYPING_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isOpen, typed])

  useLayoutEffect(() => {
    const input = list.current?.previousElementSibling?.getBoundingClientRect()
    if (input) setAbove(innerHeight - input.bottom < ROOM && input.top > ROOM)
  }, [isOpen])

  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [found, active])

  function close(): void {
    setOpen(false)
    setTyped(undefined)
  }

  function choose(item: Item): void {
    close()
    onChoose(item)
  }

  function handleKey(event: KeyboardEvent): void {
    // These keys choose among characters first.
    if (event.isComposing) return
    const step = STEPS[event.key]
    if (step !== undefined) {
      if (isOpen && items.length > 0) setActive((active + step + items.length) % items.length)
      setOpen(true)
    } else if (isOpen && event.key === 'Enter') {
      if (current) choose(current)
    } else if (isOpen && event.key === 'Escape') {
      close()
      // Close only the list, not the panel around it.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return (
    <div class="picker">
      <input
        {...attributes}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={current && `${listId}-${active}`}
        value={typed ?? text}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setOpen(true)}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setOpen(true)
        }}
        onKeyDown={handleKey}
        onBlur={close}
      />
      {isOpen && (
        <div class={isAbove ? 'picker-list above' : 'picker-list'} ref={list}>
          {/* The input keeps the focus: a click on an entry must not take it, nor Tab, because the list scrolls. */}
          <div
            role="listbox"
            tabIndex={-1}
            id={listId}
            aria-label={label}
            onMouseDown={(event) => event.preventDefault()}
          >
            {items.map((item, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus, and handles the keys
              <div
                key={item.id}
                id={`${listId}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                onClick={() => choose(item)}
              >
                {item.name} {item.name !== String(item.id) && <small>{item.id}</small>}
              </div>
            ))}
          </div>
          <p class="hint" role="status">
            {statusOf(found)}
          </p>
        </div>
      )}
    </div>
  )
}

function statusOf(found: readonly unknown[] | 'nothing yet' | 'failed'): string {
  if (found === 'nothing yet') return 'Searching…'
  if (found === 'failed') return 'The server did not allow the search.'
  return found.length === 0 ? 'Nothing found.' : ''
}

import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type Route, route } from '../client/route.ts'
import { type ApiResponse, errorOf } from '../client/send.ts'
import { IconButton } from './controls.tsx'

interface Notice {
  /** The view that it belongs to. */
  readonly view: Route['view']
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action?: { readonly label: string; run(): void }
}

const notice = signal<Notice | undefined>(undefined)

const SHOWN_MS = 4000

/** Shows a transient message in place of the last one. */
export function notify(text: string, options: Partial<Pick<Notice, 'tone' | 'action'>> = {}): void {
  notice.value = { tone: 'plain', ...options, text, view: route.peek().view }
}

export function notifyFailure(response: ApiResponse): void {
  const { code, message } = errorOf(response)
  notify(`${code}: ${message}`, { tone: 'bad' })
}

export function dismissNotice(): void {
  notice.value = undefined
}

/** The current message, until it was shown long enough, or another view is. It stays while the pointer or the focus is on it. */
export function Notices() {
  const [isHeld, hold] = useState(false)
  const shown = notice.value?.view === route.value.view ? notice.value : undefined
  useEffect(() => {
    if (notice.peek()?.view !== route.peek().view) dismissNotice()
  }, [shown])
  useEffect(() => hold(false), [shown])
  useEffect(() => {
    if (!shown || isHeld) return
    const timer = setTimeout(dismissNotice, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  useLayoutEffect(() => {
    if (!shown?.action) return
    document.addEventListener('keydown', undoOnKey)
    return () => document.removeEventListener('keydown', undoOnKey)
  }, [shown])
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown && (
        <div
          class={`notice ${shown.tone}`}
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocusIn={() => hold(true)}
          onFocusOut={() => hold(false)}
        >
          <span>{shown.text}</span>
          {shown.action && (
            <button
              type="button"
              class="link"
              onClick={act}
              aria-keyshortcuts={shown.action.label === UNDO ? 'Control+Z' : undefined}
            >
              {shown.action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={dismissNotice} />
        </div>
      )}
    </div>
  )
}

const UNDO = 'Undo'

function act(): void {
  const { action } = notice.peek() ?? {}
  dismissNotice()
  action?.run()
}

/** Ctrl+Z, or Cmd+Z: the offer is gone before Tab could reach it. While typing, it belongs to the browser. */
function undoOnKey(event: KeyboardEvent): void {
  const isTyping =
    event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), textarea')
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping)
    return
  if (notice.peek()?.action?.label !== UNDO) return
  event.preventDefault()
  act()
}

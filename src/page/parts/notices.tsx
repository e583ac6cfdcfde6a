import { signal } from '@preact/signals'
import { type ApiResponse, errorOf } from '../client/send.ts'
import { IconButton } from './controls.tsx'

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action?: { readonly label: string; run(): void }
}

export const notices = signal<readonly Notice[]>([])

const SHOWN_MS = 8000
/** Long enough to reconsider, and to get there by keyboard. */
const SHOWN_WITH_ACTION_MS = 30_000
let last = 0

/** Shows a transient message. */
export function notify(text: string, options: Partial<Pick<Notice, 'tone' | 'action'>> = {}): void {
  last += 1
  const notice: Notice = { tone: 'plain', ...options, id: last, text }
  notices.value = [...notices.value.slice(-2), notice]
  setTimeout(() => dismiss(notice.id), notice.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}

export function notifyFailure(response: ApiResponse): void {
  const { code, message } = errorOf(response)
  notify(`${code}: ${message}`, { tone: 'bad' })
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, tone, action }) => (
        <div key={id} class={`notice ${tone}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}

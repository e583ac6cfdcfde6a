import { signal } from '@preact/signals'
import { type ApiResponse, errorOf } from './send.ts'

export interface Notice {
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

/** Says why something failed, in the server's words. */
export function notifyFailure(response: ApiResponse): void {
  const { code, message } = errorOf(response)
  notify(`${code}: ${message}`, { tone: 'bad' })
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

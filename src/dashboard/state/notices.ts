import { signal } from '@preact/signals'

export interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action?: { readonly label: string; run(): void }
}

export const notices = signal<readonly Notice[]>([])

/** Long enough to read, and to reach an undo by keyboard. */
const SHOWN_MS = 12_000
let last = 0

/** Tells the user something in passing. */
export function notify(text: string, options: Partial<Pick<Notice, 'tone' | 'action'>> = {}): void {
  last += 1
  const notice: Notice = { tone: 'plain', ...options, id: last, text }
  notices.value = [...notices.value.slice(-2), notice]
  setTimeout(() => dismiss(notice.id), SHOWN_MS)
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

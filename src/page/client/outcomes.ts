import { signal } from '@preact/signals'

/** The last request got no response. */
export const isUnreachable = signal(false)

/** Why the last write could not be saved, in the server's words; undefined once one was. */
export const saveFailure = signal<string | undefined>(undefined)

/** The last request of this page about data, if it failed: a rule may want that. */
export const ownFailure = signal<Pick<Outcome, 'method' | 'path'> | undefined>(undefined)

/** Learns from a request of this page. */
export function recordOwn({ method, path, status }: Outcome): void {
  if (path.startsWith('/__')) return
  if (status === 0 || status >= 400) ownFailure.value = { method, path }
  else if (ownFailure.value?.path === path) ownFailure.value = undefined
}

interface Outcome {
  readonly method: string
  readonly path: string
  /** 0 if there was no response. */
  readonly status: number
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** Learns from a request, of this page or of another client, whether data can be saved. */
export function recordOutcome({ method, path, status, code, message }: Outcome): void {
  if (code === 'WRITE_FAILED') saveFailure.value = message
  else if (method !== 'GET' && !path.startsWith('/__') && status >= 200 && status < 300)
    saveFailure.value = undefined
}

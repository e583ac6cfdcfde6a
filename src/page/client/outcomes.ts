import { signal } from '@preact/signals'

/** The last request got no response. */
export const isUnreachable = signal(false)

/** Why the last write could not be saved, in the server's words; undefined once one was. */
export const saveFailure = signal<string | undefined>(undefined)

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

import { signal } from '@preact/signals'
import { parseJson } from '../parts/parse-json.ts'
import { restore, store } from './storage.ts'

/** What the page sends to guards, as any client would. */
export interface Credentials {
  readonly apiKey?: string
  readonly token?: string
}

const STORAGE_KEY = 'restable.credentials'

/** Kept for this tab only, and only until it is closed. */
export const credentials = signal<Credentials>(readCredentials(parseJson(restore(STORAGE_KEY) ?? '').value))

/** Adds to what is known, or replaces it. */
export function addCredentials(more: Credentials): void {
  credentials.value = { ...credentials.value, ...more }
  store(STORAGE_KEY, JSON.stringify(credentials.value))
}

export function clearCredentials(): void {
  credentials.value = {}
  store(STORAGE_KEY, undefined)
}

export function credentialHeaders(): Record<string, string> {
  const { apiKey, token } = credentials.value
  return {
    ...(apiKey !== undefined && { 'X-API-KEY': apiKey }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

function readCredentials(kept: unknown): Credentials {
  const { apiKey, token }: Record<string, unknown> = Object(kept)
  return { ...(typeof apiKey === 'string' && { apiKey }), ...(typeof token === 'string' && { token }) }
}

import { computed, signal } from '@preact/signals'
import { parseJson } from '../parts/json.ts'
import { login, loginHeaders, ownLogin, persona } from './login.ts'
import { session, sessionHeaders } from './session.ts'
import type { Identity } from './snippets.ts'
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

/** Who the page is to the server: what it was given by the user to send along. */
export const caller = computed<Identity>(() => ({
  ...credentials.value,
  ...(session.value !== undefined && { session: session.value }),
  ...(persona.value !== undefined ? { user: persona.value } : login.value && ownTokenOf()),
}))

export function callerHeaders(): Record<string, string> {
  return { ...credentialHeaders(), ...sessionHeaders(), ...loginHeaders() }
}

function ownTokenOf(): Identity {
  const own = ownLogin()
  return own ? { token: own.token } : {}
}

import { computed, signal } from '@preact/signals'
import { parseJson } from '../parts/json.ts'
import { loginHeaders, ownLogin, persona } from './login.ts'
import { session, sessionHeaders } from './session.ts'
import type { Identity } from './snippets.ts'
import { restore, store } from './storage.ts'

interface Credentials {
  readonly apiKey?: string
  readonly token?: string
}

const STORAGE_KEY = 'restable.credentials'

/** Stored for this tab only, until it is closed. */
export const credentials = signal<Credentials>(readCredentials(parseJson(restore(STORAGE_KEY) ?? '').value))

export function addCredentials(more: Credentials): void {
  credentials.value = { ...credentials.value, ...more }
  store(STORAGE_KEY, JSON.stringify(credentials.value))
}

export function clearCredentials(): void {
  credentials.value = {}
  store(STORAGE_KEY, undefined)
}

function credentialHeaders(): Record<string, string> {
  const { apiKey, token } = credentials.value
  return {
    ...(apiKey !== undefined && { 'X-API-KEY': apiKey }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

function readCredentials(stored: unknown): Credentials {
  const { apiKey, token }: Record<string, unknown> = Object(stored)
  return { ...(typeof apiKey === 'string' && { apiKey }), ...(typeof token === 'string' && { token }) }
}

/** Who the page is to the server. */
export const caller = computed<Identity>(() => {
  const own = persona.value === undefined ? ownLogin() : undefined
  return {
    ...credentials.value,
    ...(session.value !== undefined && { session: session.value }),
    ...(persona.value !== undefined && { user: persona.value }),
    ...(own && { token: own.token }),
  }
})

export function callerHeaders(): Record<string, string> {
  return { ...credentialHeaders(), ...sessionHeaders(), ...loginHeaders() }
}

import { signal } from '@preact/signals'

/** What the page sends to guards, as any client would. */
export interface Credentials {
  readonly apiKey?: string
  readonly token?: string
}

const PLACE = 'restable.credentials'

/** Kept for this tab only, and only until it is closed. */
export const credentials = signal<Credentials>(restore())

/** Adds to what is known, or replaces it. */
export function giveCredentials(more: Credentials): void {
  keep({ ...credentials.value, ...more })
}

export function forgetCredentials(): void {
  keep({})
}

export function credentialHeaders(): Record<string, string> {
  const { apiKey, token } = credentials.value
  return {
    ...(apiKey !== undefined && { 'X-API-KEY': apiKey }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

function keep(value: Credentials): void {
  credentials.value = value
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(value))
  } catch {
    // Without storage, the user is asked again after a reload.
  }
}

function restore(): Credentials {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    const { apiKey, token }: { apiKey?: unknown; token?: unknown } = kept
    return {
      ...(typeof apiKey === 'string' && { apiKey }),
      ...(typeof token === 'string' && { token }),
    }
  } catch {
    return {}
  }
}

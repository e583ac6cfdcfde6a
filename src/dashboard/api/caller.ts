import { computed } from '@preact/signals'
import { credentialHeaders, credentials } from './credentials.ts'
import { session, sessionHeaders } from './session.ts'
import type { Shown } from './snippets.ts'

/** Who the page is to the server: what it was given by the user to send along. */
export const caller = computed<Shown>(() => ({
  ...credentials.value,
  ...(session.value !== undefined && { session: session.value }),
}))

export function callerHeaders(): Record<string, string> {
  return { ...credentialHeaders(), ...sessionHeaders() }
}

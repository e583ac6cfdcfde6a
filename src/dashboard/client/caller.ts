import { computed } from '@preact/signals'
import { credentialHeaders, credentials } from './credentials.ts'
import { login, loginHeaders, ownLogin, persona } from './login.ts'
import { session, sessionHeaders } from './session.ts'
import type { Identity } from './snippets.ts'

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

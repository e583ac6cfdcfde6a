import { reconnect } from './client/live.ts'
import { accounts, ownLogin, readLogin, setLogin, setPersona } from './client/login.ts'
import { errorOf, isOk, send } from './client/send.ts'
import { session } from './client/session.ts'
import { notices, notify } from './parts/notices.tsx'

/** Logs in or signs up. Resolves to what went wrong, in the server's words. */
export async function logIn(
  path: '/login' | '/register',
  email: string,
  password: string,
): Promise<string | undefined> {
  const response = await send('POST', path, { body: JSON.stringify({ email, password }), isRaw: true })
  if (!isOk(response)) return errorOf(response).message
  const login = readLogin(response.data)
  // Where the browser has them as cookies, two copies of a refresh token would spend each other.
  setLogin(login && !accounts.value?.hasCookies ? { ...login, session: session.value } : undefined)
  setPersona(undefined)
  reloadFor(`You are ${email}`)
  return undefined
}

export async function logOut(): Promise<void> {
  const own = ownLogin()
  const body = JSON.stringify(own ? { refreshToken: own.refreshToken } : {})
  await send('POST', '/logout', { body, isRaw: true })
  setLogin(undefined)
  setPersona(undefined)
  reloadFor('You are logged out')
}

/** Acts as a user without a password, where the server allows it; undefined to stop. */
export function actAs(email: string | undefined): void {
  setPersona(email)
  reloadFor(email === undefined ? 'You act as yourself' : `You act as ${email}`)
}

/** Loads everything again: another user may see other rows. */
function reloadFor(text: string): void {
  // An Undo among them would be another user's.
  notices.value = []
  reconnect()
  notify(text)
}

import { listenAsOther } from '../client/live.ts'
import { accounts, keepLogin, keepPersona, ownLogin, readLogin } from '../client/login.ts'
import { notices, notify } from '../client/notices.ts'
import { faultOf, isOk, send } from '../client/send.ts'
import { session } from '../client/session.ts'

/** Logs in or signs up. Resolves to what went wrong, in the server's words. */
export async function enterAs(
  path: '/login' | '/register',
  email: string,
  password: string,
): Promise<string | undefined> {
  const answer = await send('POST', path, { body: JSON.stringify({ email, password }), isRaw: true })
  if (!isOk(answer)) return faultOf(answer).message
  const given = readLogin(answer.data)
  // Where the browser has them as cookies, two copies of a refresh token would spend each other.
  keepLogin(given && !accounts.value?.hasCookies ? { ...given, session: session.value } : undefined)
  keepPersona(undefined)
  seeAgain(`You are ${email}`)
  return undefined
}

export async function logOut(): Promise<void> {
  const own = ownLogin()
  const body = JSON.stringify(own ? { refreshToken: own.refreshToken } : {})
  await send('POST', '/logout', { body, isRaw: true })
  keepLogin(undefined)
  keepPersona(undefined)
  seeAgain('You are logged out')
}

/** Acts as a user without a password, where the server lets everybody do so; undefined for oneself. */
export function actAs(email: string | undefined): void {
  keepPersona(email)
  seeAgain(email === undefined ? 'You act as nobody else' : `You act as ${email}`)
}

/** Somebody else sees other rows. */
function seeAgain(text: string): void {
  // An Undo among them would be somebody else's.
  notices.value = []
  listenAsOther()
  notify(text)
}

import { signal } from '@preact/signals'
import { restore, store } from './storage.ts'

const STORAGE_KEY = 'restable.session'
const HEADER = 'X-Mock-Session'
const COOKIE = 'mock_session'

/** Valid names, as an input's `pattern`. */
export const SESSION_NAME = '[A-Za-z0-9._\\-]{1,64}'

/** The session whose data the page shows; undefined for the base. Stored for this tab only. */
export const session = signal(storedSession())

export function sessionHeaders(): Record<string, string> {
  return session.value === undefined ? {} : { [HEADER]: session.value }
}

/** Of the request that begins a session. */
export function scenarioHeaders(name: string, scenario: string): Record<string, string> {
  return { [HEADER]: name, 'X-Mock-Scenario': scenario }
}

export function setSession(name: string | undefined): void {
  session.value = name
  store(STORAGE_KEY, name)
}

/** A cookie may have put the page into a session: then it shows that session. */
export function adoptSession(sent: Readonly<Record<string, string>>, response: Response): void {
  const name = response.headers.get(HEADER)
  if (name !== null && !(HEADER in sent) && session.value === undefined) session.value = name
}

/** Without the header the cookie decides, so the base needs it deleted. */
export function deleteCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
  document.cookie = `${COOKIE}=; Max-Age=0; Path=/`
}

function storedSession(): string | undefined {
  const name = restore(STORAGE_KEY) ?? ''
  return new RegExp(`^${SESSION_NAME}$`).test(name) ? name : undefined
}

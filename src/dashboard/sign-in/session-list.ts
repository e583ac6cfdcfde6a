import { signal } from '@preact/signals'
import { isObject } from '../../json/record.ts'
import { reloadAll } from '../client/live.ts'
import { notices, notify } from '../client/notices.ts'
import { type ApiResponse, errorOf, isOk, send } from '../client/send.ts'
import { loadService } from '../client/service.ts'
import { deleteCookie, session, setSession } from '../client/session.ts'

export interface SessionEntry {
  readonly name: string
  readonly createdAt: string
}

/** The sessions that the server lists, most recently used first; undefined until it is asked, or if it has none. */
export const sessions = signal<readonly SessionEntry[] | undefined>(undefined)

/** The button that opens the menu. It gets the focus when a switch takes away what had it. */
export const MENU_BUTTON = 'session-button'

export async function loadSessions(): Promise<void> {
  const response = await send('GET', '/__sessions', { isRaw: true })
  if (response.status === 404) {
    // Turned off: the header means nothing, and what is shown is the base.
    sessions.value = undefined
    setSession(undefined)
  } else if (response.status === 401 || response.status === 403) {
    // The list is for admins; sessions are for everybody.
    sessions.value = []
  } else if (isOk(response) && Array.isArray(response.data)) {
    const before = startOf(session.value)
    sessions.value = response.data.filter(isEntry)
    const now = startOf(session.value)
    if (before !== undefined && now !== undefined && before !== now) {
      notify(`Session ${session.value} had ended. This is a new copy of the base data.`)
    }
  }
}

/** Shows the data of a session, or of the base. A new session is opened by the first request. */
export function switchSession(name: string | undefined): void {
  if (name === session.value) return
  // An Undo among them would write to the wrong data.
  notices.value = []
  if (name === undefined) deleteCookie()
  setSession(name)
  void loadService()
  // The page is made again for each session.
  requestAnimationFrame(() => {
    document.getElementById(MENU_BUTTON)?.focus()
    notify(name === undefined ? 'You see the base data' : `You see session ${name}`)
  })
}

export async function resetSession(name: string): Promise<void> {
  const response = await send('POST', '/__reset')
  if (!isOk(response)) return notify(errorOf(response).message, { tone: 'bad' })
  notices.value = []
  reloadAll()
  notify(`Session ${name} is back at its start`)
}

export async function endSession(name: string): Promise<void> {
  const response = await send('DELETE', `/__sessions/${name}`)
  if (!isDone(response)) return notify(errorOf(response).message, { tone: 'bad' })
  sessions.value = sessions.value?.filter((entry) => entry.name !== name)
  switchSession(undefined)
}

/** A session that has ended meanwhile needs neither. */
function isDone(response: ApiResponse): boolean {
  return isOk(response) || errorOf(response).code === 'SESSION_NOT_FOUND'
}

function startOf(name: string | undefined): string | undefined {
  return sessions.value?.find((entry) => entry.name === name)?.createdAt
}

function isEntry(data: unknown): data is SessionEntry {
  return isObject(data) && typeof data.name === 'string' && typeof data.createdAt === 'string'
}

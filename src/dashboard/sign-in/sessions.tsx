import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isObject } from '../../json/record.ts'
import { liveState, reloadAll } from '../client/live.ts'
import { type ApiResponse, errorOf, isOk, send } from '../client/send.ts'
import { loadService } from '../client/service.ts'
import { deleteCookie, SESSION_NAME, session, setSession } from '../client/session.ts'
import { ConfirmButton, Icon } from '../parts/elements.tsx'
import { notices, notify } from '../parts/notices.tsx'

const MENU = 'session-menu'

/** Whose data the page shows: the base, or a session's. Not there if the server has no sessions. */
export function SessionMenu() {
  const menu = useRef<HTMLDivElement>(null)
  const isLive = liveState.value === 'live'
  useEffect(() => {
    // A new connection: to another session, or to one that had ended and was opened again.
    if (isLive) void loadSessions()
  }, [isLive])
  const current = session.value
  if (sessions.value === undefined && current === undefined) return null

  const names = (sessions.value ?? []).map(({ name }) => name)
  const listed = current === undefined || names.includes(current) ? names : [current, ...names]

  function choose(name: string | undefined): void {
    menu.current?.hidePopover()
    switchSession(name)
  }

  function open(event: SubmitEvent): void {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLFormElement) {
      choose(String(new FormData(event.currentTarget).get('name')))
    }
  }

  return (
    <>
      <button
        type="button"
        id={MENU_BUTTON}
        class="quiet session-button"
        popovertarget={MENU}
        aria-label={`Session: ${current ?? 'base data'}`}
        title="Whose data this page shows"
      >
        <Icon name="layers" />
        <span class="session-name">Session: {current ?? 'base data'}</span>
      </button>
      <div
        id={MENU}
        class="session-menu"
        popover="auto"
        role="dialog"
        aria-label="Session"
        ref={menu}
        onToggle={(event) => event.newState === 'open' && void loadSessions()}
      >
        <p class="hint">A session is a copy of all data. Changes in it reach nobody else, and no file.</p>
        <ul>
          {[undefined, ...listed].map((name) => (
            <li key={name ?? ''}>
              <button
                type="button"
                aria-current={name === current ? 'true' : undefined}
                onClick={() => choose(name)}
              >
                {name ?? 'Base data'}
              </button>
            </li>
          ))}
        </ul>
        <form onSubmit={open}>
          <label for="session-name">New session…</label>
          <input
            id="session-name"
            name="name"
            required
            pattern={SESSION_NAME}
            title="1 to 64 letters, digits, dots, hyphens and underscores"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
          <button type="submit">Open</button>
        </form>
      </div>
    </>
  )
}

/** Says that what one looks at is a copy, on every view. */
export function SessionStrip() {
  const name = session.value
  if (name === undefined) return null
  return (
    <section class="session-strip" aria-label="Current session">
      <p>
        Session <strong>{name}</strong>
        <span class="wide">: a copy of the data, not the base</span>
      </p>
      <span class="spring" />
      <ConfirmButton label="Reset" question="Undo all changes?" onConfirm={() => void resetSession(name)} />
      <ConfirmButton label="End" question="End for good?" onConfirm={() => void endSession(name)} />
    </section>
  )
}

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

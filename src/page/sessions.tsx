import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isObject } from '../core/kernel/json/values.ts'
import { RESET } from './client/history.ts'
import { liveState, reloadAll } from './client/live.ts'
import { errorOf, isOk, send } from './client/send.ts'
import { loadService, service } from './client/service.ts'
import { deleteCookie, SESSION_NAME, scenarioHeaders, session, setSession } from './client/session.ts'
import { leaveForm } from './client/unsaved.ts'
import { ConfirmButton } from './parts/controls.tsx'
import { dismissNotice, notify } from './parts/notices.tsx'
import { PopoverMenu } from './parts/overlays.tsx'

/** Whose data the page shows: the base, or a session's. Hidden if the server has no sessions. */
export function SessionMenu() {
  const isLive = liveState.value === 'live'
  useEffect(() => {
    // A new connection: to another session, or to one that had ended and was opened again.
    if (isLive) void loadSessions()
  }, [isLive])
  const current = session.value
  if (sessions.value === undefined && current === undefined) return null

  const names = (sessions.value ?? []).map(({ name }) => name)
  const listed = current === undefined || names.includes(current) ? names : [current, ...names]
  const label = `Session: ${current ?? 'base data'}`
  return (
    <PopoverMenu
      name="Session"
      icon="layers"
      label={label}
      title="Whose data this page shows"
      text={label}
      onOpen={() => void loadSessions()}
    >
      {(choose) => (
        <>
          <p class="hint">
            A session is a copy of all data. Changes stay in the session and are never saved.
          </p>
          <ul>
            {[undefined, ...listed].map((name) => (
              <li key={name ?? ''}>
                <button
                  type="button"
                  aria-current={name === current ? 'true' : undefined}
                  onClick={() => choose(() => leaveForm(() => switchSession(name)))}
                >
                  {name ?? 'Base data'}
                </button>
              </li>
            ))}
          </ul>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const form = new FormData(event.currentTarget)
              const [name, scenario] = [String(form.get('name')), String(form.get('scenario') ?? '')]
              choose(() => leaveForm(() => void beginSession(name, scenario)))
            }}
          >
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
            <ScenarioField />
            <button type="submit">Open</button>
          </form>
        </>
      )}
    </PopoverMenu>
  )
}

/** How a new session begins. Hidden if the server has no scenarios. */
function ScenarioField() {
  const { scenarios = [] } = service.value ?? {}
  if (scenarios.length === 0) return null
  return (
    <>
      <label for="session-scenario">Scenario</label>
      <select id="session-scenario" name="scenario">
        <option value="">As the base data</option>
        {scenarios.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}

/** Says on every view that the data shown is a copy. */
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
      <ConfirmButton
        label="End"
        question="End for good?"
        onConfirm={() => leaveForm(() => void endSession(name))}
      />
    </section>
  )
}

interface SessionEntry {
  readonly name: string
  readonly createdAt: string
}

/** The sessions that the server lists, most recently used first; undefined until loaded, or if it has none. */
export const sessions = signal<readonly SessionEntry[] | undefined>(undefined)

async function loadSessions(): Promise<void> {
  const response = await send('GET', '/__sessions', { isRaw: true })
  if (response.status === 404) {
    // Sessions are off: the server ignores the header, and the page shows the base data.
    sessions.value = undefined
    setSession(undefined)
  } else if (response.status === 401 || response.status === 403) {
    // Only admins may list them; every client may use them.
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

/** Shows a session; with a scenario, it begins so, if it is not there. */
async function beginSession(name: string, scenario: string): Promise<void> {
  if (scenario !== '') {
    const headers = scenarioHeaders(name, scenario)
    const response = await send('GET', '/__service', { headers, isRaw: true })
    if (!isOk(response)) return notify(errorOf(response).message, { tone: 'bad' })
  }
  switchSession(name)
}

/** Shows the data of a session, or of the base. A new session is opened by the first request. */
function switchSession(name: string | undefined): void {
  if (name === session.value) return
  // An Undo among them would write to the wrong data.
  dismissNotice()
  if (name === undefined) deleteCookie()
  setSession(name)
  void loadService()
  // The page is rendered again for each session, and the focused element is gone.
  requestAnimationFrame(() => {
    document.getElementById('session-button')?.focus()
    notify(name === undefined ? 'Switched to the base data' : `Switched to session ${name}`)
  })
}

async function resetSession(name: string): Promise<void> {
  const response = await send('POST', RESET)
  if (!isOk(response)) return notify(errorOf(response).message, { tone: 'bad' })
  dismissNotice()
  reloadAll()
  notify(`Session ${name} is back at its start`)
}

async function endSession(name: string): Promise<void> {
  const response = await send('DELETE', `/__sessions/${name}`)
  const { code, message } = errorOf(response)
  if (!isOk(response) && code !== 'SESSION_NOT_FOUND') return notify(message, { tone: 'bad' })
  sessions.value = sessions.value?.filter((entry) => entry.name !== name)
  switchSession(undefined)
}

function startOf(name: string | undefined): string | undefined {
  return sessions.value?.find((entry) => entry.name === name)?.createdAt
}

function isEntry(data: unknown): data is SessionEntry {
  return isObject(data) && typeof data.name === 'string' && typeof data.createdAt === 'string'
}

import { useEffect, useRef } from 'preact/hooks'
import { liveState } from '../client/live.ts'
import { SESSION_NAME, session } from '../client/session.ts'
import { Icon } from '../parts/icon.tsx'
import { loadSessions, MENU_BUTTON, sessions, switchSession } from './session-list.ts'

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

import { useRef } from 'preact/hooks'
import { accounts, persona } from '../client/login.ts'
import { me, service } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { requestSignIn } from './refusal.ts'
import { actAs, logOut } from './switch-user.ts'

const MENU = 'account-menu'

/** Who is logged in, and how to be somebody else. Not there if the server has no accounts. */
export function AccountMenu() {
  const menu = useRef<HTMLDivElement>(null)
  if (!accounts.value) return null
  const who = me.value
  const personas = accounts.value.hasPersonas ? (service.value?.personas ?? []) : []

  function choose(act: () => void): void {
    menu.current?.hidePopover()
    act()
  }

  const label = who ? `${who.email}, ${who.role}` : 'Not logged in'
  return (
    <>
      <button
        type="button"
        class="quiet session-button"
        popovertarget={MENU}
        aria-label={`User: ${label}`}
        title="Who you are to the server"
      >
        <Icon name="user" />
        <span class="session-name">
          {who?.email ?? 'Log in'} {who && <span class="count">{who.role}</span>}
        </span>
      </button>
      <div id={MENU} class="session-menu" popover="auto" role="dialog" aria-label="User" ref={menu}>
        <p>
          {who ? (
            <>
              {persona.value === undefined ? 'Logged in as' : 'Acting as'} <strong>{who.email}</strong>, role{' '}
              <strong>{who.role}</strong>
            </>
          ) : (
            'You are not logged in.'
          )}
        </p>
        <div class="actions">
          <button
            type="button"
            onClick={() =>
              choose(() => void requestSignIn({ code: 'AUTH_REQUIRED', message: '', isRead: false }))
            }
          >
            {who ? 'Log in as another user' : 'Log in or sign up'}
          </button>
          {who && persona.value === undefined && (
            <button type="button" onClick={() => choose(() => void logOut())}>
              Log out
            </button>
          )}
        </div>
        {accounts.value.hasPersonas && (
          <>
            <h3 id="personas">Act as</h3>
            <ul aria-labelledby="personas">
              {[undefined, ...personas].map((one) => (
                <li key={one?.email ?? ''}>
                  <button
                    type="button"
                    aria-current={one?.email === persona.value ? 'true' : undefined}
                    onClick={() => choose(() => actAs(one?.email))}
                  >
                    {one ? one.email : 'Yourself'}
                    {one && <span class="count">{one.role}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

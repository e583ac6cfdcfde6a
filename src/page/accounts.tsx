import { useId } from 'preact/hooks'
import { accounts, ownLogin, persona, readLogin, setLogin, setPersona } from './client/caller.ts'
import { reconnect } from './client/live.ts'
import { requestSignIn } from './client/refusal.ts'
import { errorOf, isOk, send } from './client/send.ts'
import { me, service } from './client/service.ts'
import { session } from './client/session.ts'
import { notices, notify } from './parts/notices.tsx'
import { PopoverMenu } from './parts/overlays.tsx'

/** Who is logged in, and how to switch users. Hidden if the server has no accounts. */
export function AccountMenu() {
  if (!accounts.value) return null
  const { hasPersonas } = accounts.value
  const user = me.value
  return (
    <PopoverMenu
      name="User"
      icon="user"
      label={`User: ${user ? `${user.email}, ${user.role}` : 'Not logged in. Log in'}`}
      title="Who you are to the server"
      text={
        <>
          {user?.email ?? 'Log in'} {user && <span class="count">{user.role}</span>}
        </>
      }
    >
      {(choose) => (
        <>
          <p>
            {user ? (
              <>
                {persona.value === undefined ? 'Logged in as' : 'Acting as'} <strong>{user.email}</strong>,
                role <strong>{user.role}</strong>
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
              {user ? 'Log in as another user' : 'Log in or sign up'}
            </button>
            {user && persona.value === undefined && (
              <button type="button" onClick={() => choose(() => void logOut())}>
                Log out
              </button>
            )}
          </div>
          {hasPersonas && <PersonaList hasYourself onChoose={(email) => choose(() => actAs(email))} />}
        </>
      )}
    </PopoverMenu>
  )
}

interface PersonaListProps {
  /** Whether one can stop acting as others. */
  readonly hasYourself?: boolean
  readonly onChoose: (email: string | undefined) => void
}

/** The users to act as without a password, where the server allows it. */
export function PersonaList({ hasYourself = false, onChoose }: PersonaListProps) {
  const id = useId()
  const personas = service.value?.personas ?? []
  return (
    <div class="personas">
      <h3 id={id}>Act as</h3>
      <ul aria-labelledby={id}>
        {[...(hasYourself ? [undefined] : []), ...personas].map((one) => (
          <li key={one?.email ?? ''}>
            <button
              type="button"
              aria-current={one?.email === persona.value ? 'true' : undefined}
              onClick={() => onChoose(one?.email)}
            >
              {one ? one.email : 'Yourself'}
              {one && <span class="count">{one.role}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

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

async function logOut(): Promise<void> {
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

import { accounts, persona } from './client/login.ts'
import { me } from './client/service.ts'
import { PopoverMenu } from './parts/overlays.tsx'
import { PersonaList } from './persona-list.tsx'
import { requestSignIn } from './refusal.ts'
import { actAs, logOut } from './switch-user.ts'

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

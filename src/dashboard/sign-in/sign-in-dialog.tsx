import { useEffect, useRef, useState } from 'preact/hooks'
import { credentials, giveCredentials } from '../api/credentials.ts'
import { accounts } from '../api/login.ts'
import { faultOf, isOk, send } from '../api/send.ts'
import { isObject } from '../parts/preview.ts'
import { hasLayer, service } from '../state/service.ts'
import { AccountDialog } from './account-dialog.tsx'
import { type Question, question, type Refusal } from './ask.ts'
import { Field } from './field.tsx'

/** Asks for what a guard requires: an API key, a token, or a login. */
export function SignInDialog() {
  const asked = question.value
  if (!asked) return null
  const isOfAccounts = accounts.value && !asksForKey(asked)
  return isOfAccounts ? <AccountDialog asked={asked} /> : <CredentialsDialog asked={asked} />
}

function CredentialsDialog({ asked }: { asked: Question }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [fault, setFault] = useState<string>()
  const [hasToken, setHasToken] = useState(false)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    setFault(undefined)
    setHasToken(false)
  }, [asked])

  const wanted = hasToken ? 'token' : wantedFor(asked)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const field = (name: string): string => String(new FormData(form).get(name) ?? '').trim()
    if (wanted === 'key') giveCredentials({ apiKey: field('key') })
    else if (wanted === 'token') giveCredentials({ token: field('token') })
    else {
      const failed = await logIn(field('email'), field('password'))
      setFault(failed)
      if (failed !== undefined) return
    }
    asked.answer(true)
  }

  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" onCancel={() => asked.answer(false)}>
      <form onSubmit={submit}>
        <h2 id="sign-in-title">{TITLES[wanted]}</h2>
        <p>{asked.message}</p>
        {wanted === 'key' && <Field label="API key" name="key" value={credentials.value.apiKey} />}
        {wanted === 'token' && <Field label="Token" name="token" value={credentials.value.token} />}
        {wanted === 'login' && (
          <>
            <Field label="E-mail" name="email" />
            <Field label="Password" name="password" isHidden />
          </>
        )}
        {fault && (
          <p class="failure" role="alert">
            {fault}
          </p>
        )}
        <p class="hint">Kept in this tab until you close it.</p>
        <div class="actions">
          <button type="submit" class="primary">
            {wanted === 'login' ? 'Log in' : 'Continue'}
          </button>
          <button type="button" onClick={() => asked.answer(false)}>
            Cancel
          </button>
          {wanted === 'login' && (
            <button type="button" class="link" onClick={() => setHasToken(true)}>
              I have a token
            </button>
          )}
        </div>
      </form>
    </dialog>
  )
}

type Wanted = 'key' | 'token' | 'login'

const TITLES: Record<Wanted, string> = {
  key: 'This server asks for an API key',
  token: 'This server asks for a token',
  login: 'Log in to change data',
}

/** Logins guard only writes, so a guard that refuses a read expects a fixed token. */
function wantedFor(refusal: Refusal): Wanted {
  if (asksForKey(refusal)) return 'key'
  if (refusal.isRead) return 'token'
  return service.value === undefined || hasLayer('jwt') ? 'login' : 'token'
}

function asksForKey({ code, message }: Refusal): boolean {
  return code.startsWith('API_KEY') || /API key/i.test(message)
}

/** Resolves to what went wrong, in the server's words. */
async function logIn(email: string, password: string): Promise<string | undefined> {
  const answer = await send('POST', '/login', { body: JSON.stringify({ email, password }), isRaw: true })
  const token = isObject(answer.data) ? answer.data.token : undefined
  if (!isOk(answer) || typeof token !== 'string') return faultOf(answer).message
  giveCredentials({ token })
  return undefined
}

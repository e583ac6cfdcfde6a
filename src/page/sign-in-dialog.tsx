import { useEffect, useState } from 'preact/hooks'
import { isObject } from '../core/kernel/json/values.ts'
import { actAs, logIn, PersonaList } from './accounts.tsx'
import { accounts, addCredentials, credentials } from './client/caller.ts'
import { type Refusal, type SignInRequest, signInRequest } from './client/refusal.ts'
import { errorOf, isOk, send } from './client/send.ts'
import { service } from './client/service.ts'
import { Fault } from './parts/elements.tsx'
import { Dialog } from './parts/overlays.tsx'

/** Asks for what a guard requires: an API key, a token, or a login. */
export function SignInDialog() {
  const request = signInRequest.value
  return request ? <SignInForms request={request} /> : null
}

function SignInForms({ request }: { request: SignInRequest }) {
  const [chosen, choose] = useState<FormName>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = chosen ?? formFor(request)
  const { title, button, hint, fields, initial, other, submit } = FORMS[form]
  const hasPersonas = /account/i.test(form) && accounts.value?.hasPersonas
  useEffect(() => show(undefined), [request])

  function show(form: FormName | undefined): void {
    choose(form)
    setFault(undefined)
  }

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy) return
    const data = new FormData(event.currentTarget)
    setBusy(true)
    const failed = await submit((name) => {
      const text = String(data.get(name))
      // A space at either end may be part of a password.
      return name === 'password' ? text : text.trim()
    })
    setBusy(false)
    setFault(failed)
    if (failed === undefined) request.resolve(true)
  }

  return (
    <Dialog labelledBy="sign-in-title" onCancel={() => request.resolve(false)}>
      <form onSubmit={send}>
        <h2 id="sign-in-title">{title}</h2>
        {request.message !== '' && <p>{request.message}</p>}
        {Object.entries(fields).map(([name, label]) => (
          <div key={name} class="field">
            <label for={`sign-in-${name}`}>{label}</label>
            <input
              id={`sign-in-${name}`}
              name={name}
              {...(name === 'password' && { type: name })}
              defaultValue={initial?.() ?? ''}
              required
              autocomplete="off"
              spellcheck={false}
            />
          </div>
        ))}
        <Fault text={fault} />
        <p class="hint">{hint}</p>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {button}
          </button>
          <button type="button" onClick={() => request.resolve(false)}>
            Cancel
          </button>
          {other && (
            <button type="button" class="link" onClick={() => show(other[0])}>
              {other[1]}
            </button>
          )}
        </div>
        {hasPersonas && (
          <PersonaList
            onChoose={(email) => {
              actAs(email)
              request.resolve(true)
            }}
          />
        )}
      </form>
    </Dialog>
  )
}

/** An API key, a token, a login of the `jwt` layer, or an account of the server. */
type FormName = 'key' | 'token' | 'login' | 'account' | 'newAccount'

interface SignInForm {
  readonly title: string
  readonly button: string
  readonly hint: string
  readonly fields: Readonly<Record<string, string>>
  readonly initial?: () => string | undefined
  /** An alternative form, and its title. */
  readonly other?: readonly [FormName, string]
  /** Resolves to what went wrong, in the server's words. */
  readonly submit: (typed: (name: string) => string) => Promise<string | undefined> | undefined
}

const IN_THIS_TAB = 'Kept in this tab until you close it.'
const LOGIN = { email: 'E-mail', password: 'Password' }

const FORMS: Readonly<Record<FormName, SignInForm>> = {
  key: credentialForm('apiKey', 'This server asks for an API key', 'API key'),
  token: credentialForm('token', 'This server asks for a token', 'Token'),
  login: {
    title: 'Log in to change data',
    button: 'Log in',
    hint: IN_THIS_TAB,
    fields: LOGIN,
    other: ['token', 'I have a token'],
    submit: (typed) => logInForToken(typed('email'), typed('password')),
  },
  account: {
    title: 'Log in',
    button: 'Log in',
    hint: 'You stay logged in until you log out or close this tab.',
    fields: LOGIN,
    other: ['newAccount', 'I have no account'],
    submit: (typed) => logIn('/login', typed('email'), typed('password')),
  },
  newAccount: {
    title: 'Sign up',
    button: 'Sign up',
    hint: 'At least 8 characters.',
    fields: LOGIN,
    other: ['account', 'I have an account'],
    submit: (typed) => logIn('/register', typed('email'), typed('password')),
  },
}

function credentialForm(name: 'apiKey' | 'token', title: string, label: string): SignInForm {
  return {
    title,
    button: 'Continue',
    hint: IN_THIS_TAB,
    fields: { [name]: label },
    initial: () => credentials.value[name],
    submit: (typed) => void addCredentials({ [name]: typed(name) }),
  }
}

/** Logins guard only writes, so a guard that refuses a read expects a fixed token. */
function formFor({ code, message, isRead }: Refusal): FormName {
  if (code.startsWith('API_KEY') || /API key/i.test(message)) return 'key'
  if (accounts.value) return 'account'
  if (isRead) return 'token'
  const hasLogins = service.value?.layers.some(({ name }) => name === 'jwt') ?? true
  return hasLogins ? 'login' : 'token'
}

async function logInForToken(email: string, password: string): Promise<string | undefined> {
  const response = await send('POST', '/login', { body: JSON.stringify({ email, password }), isRaw: true })
  const token = isObject(response.data) ? response.data.token : undefined
  if (!isOk(response) || typeof token !== 'string') return errorOf(response).message
  addCredentials({ token })
  return undefined
}

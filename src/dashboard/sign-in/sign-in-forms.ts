import { isObject } from '../../json/record.ts'
import { addCredentials, credentials } from '../client/credentials.ts'
import { accounts } from '../client/login.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { hasLayer, service } from '../client/service.ts'
import type { Refusal } from './ask.ts'
import { logIn } from './switch-user.ts'

/** What a guard may want: a key, a token, a login of the `jwt` layer, or an account of the server. */
export type FormName = 'key' | 'token' | 'login' | 'account' | 'newAccount'

export interface SignInForm {
  readonly title: string
  readonly button: string
  readonly hint: string
  /** Labels by name. */
  readonly fields: Readonly<Record<string, string>>
  /** What a field holds at first. */
  readonly initial?: () => Readonly<Record<string, string | undefined>>
  /** Another form that may be what one wants, and what to call it. */
  readonly other?: readonly [FormName, string]
  /** Resolves to what went wrong, in the server's words. */
  readonly submit: (typed: (name: string) => string) => Promise<string | undefined> | undefined
}

const IN_THIS_TAB = 'Kept in this tab until you close it.'
const LOGIN = { email: 'E-mail', password: 'Password' }

export const FORMS: Readonly<Record<FormName, SignInForm>> = {
  key: {
    title: 'This server asks for an API key',
    button: 'Continue',
    hint: IN_THIS_TAB,
    fields: { key: 'API key' },
    initial: () => ({ key: credentials.value.apiKey }),
    submit: (typed) => void addCredentials({ apiKey: typed('key') }),
  },
  token: {
    title: 'This server asks for a token',
    button: 'Continue',
    hint: IN_THIS_TAB,
    fields: { token: 'Token' },
    initial: () => ({ token: credentials.value.token }),
    submit: (typed) => void addCredentials({ token: typed('token') }),
  },
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
    hint: 'Until you log out, or close this tab.',
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

/** Logins guard only writes, so a guard that refuses a read expects a fixed token. */
export function formFor({ code, message, isRead }: Refusal): FormName {
  if (code.startsWith('API_KEY') || /API key/i.test(message)) return 'key'
  if (accounts.value) return 'account'
  if (isRead) return 'token'
  return service.value === undefined || hasLayer('jwt') ? 'login' : 'token'
}

async function logInForToken(email: string, password: string): Promise<string | undefined> {
  const response = await send('POST', '/login', { body: JSON.stringify({ email, password }), isRaw: true })
  const token = isObject(response.data) ? response.data.token : undefined
  if (!isOk(response) || typeof token !== 'string') return errorOf(response).message
  addCredentials({ token })
  return undefined
}

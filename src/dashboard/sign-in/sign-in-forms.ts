import { isObject } from '../../json/values.ts'
import { credentials, giveCredentials } from '../client/credentials.ts'
import { accounts } from '../client/login.ts'
import { faultOf, isOk, send } from '../client/send.ts'
import { hasLayer, service } from '../client/service.ts'
import type { Refusal } from './ask.ts'
import { enterAs } from './switch-user.ts'

/** What a guard may want: a key, a token, a login of the `jwt` layer, or an account of the server. */
export type Wanted = 'key' | 'token' | 'login' | 'account' | 'newAccount'

export interface SignInForm {
  readonly title: string
  readonly button: string
  readonly hint: string
  /** Labels by name. */
  readonly fields: Readonly<Record<string, string>>
  /** What a field holds at first. */
  readonly known?: () => Readonly<Record<string, string | undefined>>
  /** Another form that may be what one wants, and what to call it. */
  readonly other?: readonly [Wanted, string]
  /** Resolves to what went wrong, in the server's words. */
  readonly submit: (typed: (name: string) => string) => Promise<string | undefined> | undefined
}

const IN_THIS_TAB = 'Kept in this tab until you close it.'
const LOGIN = { email: 'E-mail', password: 'Password' }

export const FORMS: Readonly<Record<Wanted, SignInForm>> = {
  key: {
    title: 'This server asks for an API key',
    button: 'Continue',
    hint: IN_THIS_TAB,
    fields: { key: 'API key' },
    known: () => ({ key: credentials.value.apiKey }),
    submit: (typed) => void giveCredentials({ apiKey: typed('key') }),
  },
  token: {
    title: 'This server asks for a token',
    button: 'Continue',
    hint: IN_THIS_TAB,
    fields: { token: 'Token' },
    known: () => ({ token: credentials.value.token }),
    submit: (typed) => void giveCredentials({ token: typed('token') }),
  },
  login: {
    title: 'Log in to change data',
    button: 'Log in',
    hint: IN_THIS_TAB,
    fields: LOGIN,
    other: ['token', 'I have a token'],
    submit: (typed) => logIn(typed('email'), typed('password')),
  },
  account: {
    title: 'Log in',
    button: 'Log in',
    hint: 'Until you log out, or close this tab.',
    fields: LOGIN,
    other: ['newAccount', 'I have no account'],
    submit: (typed) => enterAs('/login', typed('email'), typed('password')),
  },
  newAccount: {
    title: 'Sign up',
    button: 'Sign up',
    hint: 'At least 8 characters.',
    fields: LOGIN,
    other: ['account', 'I have an account'],
    submit: (typed) => enterAs('/register', typed('email'), typed('password')),
  },
}

/** Logins guard only writes, so a guard that refuses a read expects a fixed token. */
export function wantedFor({ code, message, isRead }: Refusal): Wanted {
  if (code.startsWith('API_KEY') || /API key/i.test(message)) return 'key'
  if (accounts.value) return 'account'
  if (isRead) return 'token'
  return service.value === undefined || hasLayer('jwt') ? 'login' : 'token'
}

async function logIn(email: string, password: string): Promise<string | undefined> {
  const answer = await send('POST', '/login', { body: JSON.stringify({ email, password }), isRaw: true })
  const token = isObject(answer.data) ? answer.data.token : undefined
  if (!isOk(answer) || typeof token !== 'string') return faultOf(answer).message
  giveCredentials({ token })
  return undefined
}

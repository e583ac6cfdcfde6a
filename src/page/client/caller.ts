import { computed, signal } from '@preact/signals'
import { parseJson } from '../parts/json.ts'
import { session, sessionHeaders } from './session.ts'
import type { Identity } from './snippets.ts'
import { restore, store } from './storage.ts'

interface AccountSettings {
  /** Tokens come and go as cookies, which the page can neither read nor needs to. */
  readonly hasCookies: boolean
  /** Requests may name the user they are from. */
  readonly hasPersonas: boolean
  readonly roles: readonly string[]
}

/** A login of this tab. Its tokens are good in one session only. */
interface Login {
  readonly token: string
  readonly refreshToken: string
  readonly session?: string | undefined
}

/** Null if the server has no accounts, undefined until the service is loaded. */
export const accounts = signal<AccountSettings | null | undefined>(undefined)

const LOGIN = 'restable.login'
const PERSONA = 'restable.persona'

/** Both are stored for this tab only, until it is closed. */
export const login = signal<Login | undefined>(readLogin(parseJson(restore(LOGIN) ?? '').value))
export const persona = signal(restore(PERSONA))

export function setLogin(value: Login | undefined): void {
  login.value = value
  store(LOGIN, value && JSON.stringify(value))
}

export function setPersona(email: string | undefined): void {
  persona.value = email
  store(PERSONA, email)
}

export function ownLogin(): Login | undefined {
  return login.value?.session === session.value ? login.value : undefined
}

export function loginHeaders(): Record<string, string> {
  if (persona.value !== undefined) return { 'X-Mock-User': persona.value }
  const own = ownLogin()
  return own ? { Authorization: `Bearer ${own.token}` } : {}
}

type Post = (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly data: unknown }>

/** Recovers from a 401 without the user, if possible. Resolves to whether to send the request again. */
export async function recover(message: string, post: Post): Promise<boolean> {
  if (persona.value !== undefined && message.startsWith('X-Mock-User')) {
    setPersona(undefined)
    return true
  }
  if (message.includes('POST /refresh')) return renew(post)
  if (!message.includes('POST /login')) return false
  // The server has deleted invalid cookies.
  const isWorthwhile =
    ownLogin() !== undefined || (accounts.value?.hasCookies ?? accounts.value === undefined)
  if (ownLogin()) setLogin(undefined)
  return isWorthwhile
}

let renewing: Promise<boolean> | undefined

/** Single-flight: a refresh token works once. */
function renew(post: Post): Promise<boolean> {
  renewing ??= renewOnce(post).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewOnce(post: Post): Promise<boolean> {
  const own = ownLogin()
  const sent = own ? { refreshToken: own.refreshToken } : {}
  const { status, data } = await post('/refresh', sent, sessionHeaders())
  const renewed = status === 200 ? readLogin(data) : undefined
  if (own && status !== 0) setLogin(renewed && { ...renewed, session: own.session })
  return status !== 0
}

/** The tokens in a response or in the tab's storage. */
export function readLogin(value: unknown): Login | undefined {
  const { token, refreshToken, session: name }: Record<string, unknown> = Object(value)
  if (typeof token !== 'string' || typeof refreshToken !== 'string') return undefined
  return { token, refreshToken, session: typeof name === 'string' ? name : undefined }
}

interface Credentials {
  readonly apiKey?: string
  readonly token?: string
}

const STORAGE_KEY = 'restable.credentials'

/** Stored for this tab only, until it is closed. */
export const credentials = signal<Credentials>(readCredentials(parseJson(restore(STORAGE_KEY) ?? '').value))

export function addCredentials(more: Credentials): void {
  credentials.value = { ...credentials.value, ...more }
  store(STORAGE_KEY, JSON.stringify(credentials.value))
}

export function clearCredentials(): void {
  credentials.value = {}
  store(STORAGE_KEY, undefined)
}

function credentialHeaders(): Record<string, string> {
  const { apiKey, token } = credentials.value
  return {
    ...(apiKey !== undefined && { 'X-API-KEY': apiKey }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

function readCredentials(stored: unknown): Credentials {
  const { apiKey, token }: Record<string, unknown> = Object(stored)
  return { ...(typeof apiKey === 'string' && { apiKey }), ...(typeof token === 'string' && { token }) }
}

/** Who the page is to the server. */
export const caller = computed<Identity>(() => {
  const own = persona.value === undefined ? ownLogin() : undefined
  return {
    ...credentials.value,
    ...(session.value !== undefined && { session: session.value }),
    ...(persona.value !== undefined && { user: persona.value }),
    ...(own && { token: own.token }),
  }
})

export function callerHeaders(): Record<string, string> {
  return { ...credentialHeaders(), ...sessionHeaders(), ...loginHeaders() }
}

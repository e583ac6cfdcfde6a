import { beforeEach, describe, expect, it } from 'vitest'
import {
  accounts,
  login,
  loginHeaders,
  persona,
  recover,
  setLogin,
  setPersona,
} from '../../src/page/client/caller.ts'
import { session } from '../../src/page/client/session.ts'

/** As much of a browser as these files name: they are compiled for one elsewhere. Without it, nothing is kept. */
declare global {
  var sessionStorage: Record<'getItem' | 'setItem' | 'removeItem', (...words: string[]) => string>
  var document: { cookie: string }
}

const EXPIRED = 'The token has expired. Get another with POST /refresh.'
const ENDED = 'This login has ended. Log in with POST /login.'
const OWN = { token: 'old', refreshToken: 'spare' }
const HEADERS = { Authorization: 'Bearer old' }

let sent: object[]
const answering = (status: number, data: object) => async (path: string, body: object) => {
  sent.push({ path, body })
  return { status, data }
}

beforeEach(() => {
  sent = []
  accounts.value = { hasCookies: false, hasPersonas: true, roles: ['user'] }
  session.value = undefined
  setPersona(undefined)
  setLogin(OWN)
})

describe('a refusal', () => {
  it('of an expired token refreshes it, once for all requests', async () => {
    const post = answering(200, { token: 'new', refreshToken: 'next' })
    expect(await Promise.all([recover(EXPIRED, post), recover(EXPIRED, post)])).toEqual([true, true])
    expect(sent).toEqual([{ path: '/refresh', body: { refreshToken: 'spare' } }])
    expect(loginHeaders()).toEqual({ Authorization: 'Bearer new' })
    await recover(EXPIRED, post)
    expect(sent[1]).toEqual({ path: '/refresh', body: { refreshToken: 'next' } })
  })

  it.each<[string, number, boolean, object]>([
    ['is refused', 401, true, {}],
    ['gets no response', 0, false, HEADERS],
  ])('of an expired token whose refresh %s', async (_, status, isWorthwhile, headers) => {
    expect(await recover(EXPIRED, answering(status, {}))).toBe(isWorthwhile)
    expect(loginHeaders()).toEqual(headers)
  })

  it('of a login that has ended forgets it, and does not try again without one', async () => {
    const post = answering(200, {})
    expect(await recover(ENDED, post)).toBe(true)
    expect(login.value).toBeUndefined()
    expect(await recover(ENDED, post)).toBe(false)
    expect(sent).toEqual([])
  })

  it('of a persona that is gone forgets that, and not the login', async () => {
    setPersona('ada@example.com')
    expect(loginHeaders()).toEqual({ 'X-Mock-User': 'ada@example.com' })
    expect(await recover('X-Mock-User names nobody.', answering(200, {}))).toBe(true)
    expect([persona.value, loginHeaders()]).toEqual([undefined, HEADERS])
  })

  it('by a rule is nothing to recover from', async () => {
    expect(await recover('Only the owner can read orders.', answering(200, {}))).toBe(false)
    expect(loginHeaders()).toEqual(HEADERS)
  })
})

it('sends a token in the session that it was made in only', () => {
  session.value = 'worker-3'
  expect(loginHeaders()).toEqual({})
})

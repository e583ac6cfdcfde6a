import { hashSync } from 'bcryptjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { LONGEST_WAIT, othersWait } from '../support/hostile/others-wait.ts'
import { attack, type Victim } from '../support/hostile/victim.ts'

const users = Array.from({ length: 20_000 }, (_, at) => ({
  id: at + 1,
  email: `user${at + 1}@example.com`,
  password: 'plain-password',
}))
const ada = { id: 0.5, email: 'ada@example.com', password: hashSync('lovelace', 10) }

/** Of each kind. Checked one after another, they would hold the server for more than three seconds. */
const TOGETHER = 8

let victim: Victim

beforeAll(async () => {
  victim = await attack({ users: [ada, ...users] }, { config: { middlewares: ['accounts'] } })
})

const statusOf = async (path: string, body: object) => (await victim.ask('POST', path, body)).status

describe('accounts', () => {
  it('keep nobody waiting, however many log in and sign up together', { timeout: 120_000 }, async () => {
    const wait = await othersWait(victim, async () => {
      const logins = Array.from({ length: TOGETHER }, (_, at) => [
        statusOf('/login', { email: ada.email, password: 'lovelace' }),
        statusOf('/login', { email: ada.email, password: 'wrong' }),
        statusOf('/login', { email: 'nobody@example.com', password: 'lovelace' }),
        statusOf('/login', { email: `USER${at + 1}@example.com`, password: 'plain-password' }),
        statusOf('/register', { email: `new${at}@example.com`, password: 'a new password' }),
      ]).flat()
      expect(await Promise.all(logins)).toEqual(Array(TOGETHER).fill([200, 401, 401, 200, 201]).flat())
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })
})

describe('with jwt, logins', () => {
  const BOB = { id: 2, email: 'bob', password: 'builder' }
  let jwt: Victim
  beforeAll(async () => {
    jwt = await attack({ users: [{ ...ada, email: 'ada' }, BOB] }, { config: { middlewares: ['jwt'] } })
  })
  const login = async (email: string, password: string) =>
    (await jwt.ask('POST', '/login', { email, password })).status

  const KINDS = [
    { email: 'ada', password: 'lovelace', status: 200 },
    { email: 'ada', password: 'wrong', status: 401 },
    { email: 'eve', password: 'unknown', status: 401 },
    { email: 'bob', password: 'builder', status: 200 },
  ]

  it('keep nobody waiting, however many arrive together, and all get their response', {
    timeout: 90_000,
  }, async () => {
    const wait = await othersWait(jwt, async () => {
      // Checked one after another in its own thread, they would hold the server for more than two seconds.
      const all = Array.from({ length: 8 }, () => KINDS).flat()
      await Promise.all(
        all.map(async ({ email, password, status }) => expect(await login(email, password)).toBe(status)),
      )
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })
})

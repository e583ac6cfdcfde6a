import { hashSync } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRealServers } from '../support/child/real-server.ts'
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

afterAll(endRealServers)

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

  it('take as long for an unknown user as for a known one', { timeout: 60_000 }, async () => {
    const timed = async (email: string) => {
      const start = performance.now()
      for (let times = 0; times < 3; times++) await statusOf('/login', { email, password: 'wrong' })
      return performance.now() - start
    }
    await timed(ada.email)
    const [known, unknown, plain] = [
      await timed(ada.email),
      await timed('nobody@example.com'),
      await timed('user7@example.com'),
    ]
    // Without a hash to compare with, it would be a hundredth.
    expect(unknown).toBeGreaterThan(known / 4)
    expect(plain).toBeGreaterThan(known / 4)
  })
})

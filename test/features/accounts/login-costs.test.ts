import { writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { jwt } from '../../../src/core/layers/jwt.ts'
import { create } from '../../../src/serve/server/app.ts'
import { asking } from '../../support/http/asking.ts'
import { jobsOfThreads } from '../../support/http/jobs.ts'
import { ADA, BOB, members } from '../../support/http/members.ts'
import { serving } from '../../support/http/serving.ts'

/*
 * How long a login takes must not tell who has an account: each costs as much as a comparison with the slowest hash. They
 * are counted where they go to the thread that makes them, since milliseconds differ from machine to machine.
 */

const BARE = { id: 6, email: 'bare@example.com', role: 'user' }
/** Of more rounds than we would compare, and cut off. */
const SLOW = { ...BARE, id: 7, email: 'slow@example.com', password: ADA.password.replace('$04$', '$15$') }
const BROKEN = { ...BARE, id: 8, email: 'cut@example.com', password: ADA.password.slice(0, 30) }

const WHO: readonly [string, email: string, password: string, status: number][] = [
  ['a user', ADA.email, 'password-of-ada', 200],
  ['a user with a wrong password', ADA.email, 'wrong', 401],
  ['a user with a plain password', BOB.email, BOB.password, 200],
  ['a user with a plain password and a wrong one', BOB.email, 'wrong', 401],
  ['a user without a password', BARE.email, 'wrong', 401],
  ['a user with a hash of too many rounds', SLOW.email, 'wrong', 401],
  ['a user with a broken hash', BROKEN.email, 'password-of-ada', 401],
  ['an unknown user', 'nobody@example.com', 'wrong', 401],
]

interface Job {
  readonly hash?: string
  readonly padding?: readonly string[]
}

/** The costs of the hashes that passwords are compared with, each time, until the test ends. */
function comparisons(): () => readonly (readonly number[])[] {
  const jobs = jobsOfThreads()
  return () =>
    jobs()
      .map((job): Job => Object(job))
      .filter(({ hash }) => hash !== undefined)
      .map(({ hash = '', padding = [] }) => [hash, ...padding].map((one) => Number(one.split('$')[2])))
}

/** Rounds of all comparisons together. */
function roundsOf(jobs: readonly (readonly number[])[]): number {
  return jobs.flat().reduce((sum, cost) => sum + 2 ** cost, 0)
}

const FIRST = [
  ['a hash', ADA],
  ['a plain password', BOB],
  ['no password', BARE],
  ['a hash of too many rounds', SLOW],
  ['a broken hash', BROKEN],
] as const

it.each(FIRST)('costs one comparison, whoever asks, where the first user has %s', async (_, first) => {
  const users = [first, ...[ADA, BOB, BARE, SLOW, BROKEN].filter((user) => user !== first)]
  const { ask } = await members({}, { users })
  for (const [who, email, password, status] of WHO) {
    const count = comparisons()
    expect((await ask('POST', '/login', { email, password })).status, who).toBe(status)
    expect(count(), who).toEqual([[4]])
    vi.restoreAllMocks()
  }
})

it('costs one where there are no users', async () => {
  const { ask } = await members({}, { users: [] })
  const count = comparisons()
  expect((await ask('POST', '/login', { email: ADA.email, password: 'wrong' })).status).toBe(401)
  expect(count()).toEqual([[10]])
})

it.each(FIRST.filter(([, user]) => user !== BARE))(
  'costs one with the layer jwt, too, where the first user has %s',
  async (_, first) => {
    const users = [first, ...[ADA, BOB, SLOW, BROKEN].filter((user) => user !== first)]
    const ask = asking(await serving(create().use(jwt({ users: users as never, secret: 'x' }))))
    for (const [who, email, password, status] of WHO) {
      const count = comparisons()
      expect((await ask('POST', '/login', { email, password })).status, who).toBe(status)
      expect(count(), who).toEqual([[4]])
      vi.restoreAllMocks()
    }
  },
)

/** Nobody knows the password of a hash that says it took another number of rounds. */
function costing(cost: number) {
  const password = ADA.password.replace('$04$', `$0${cost}$`)
  return { ...BARE, id: cost, email: `cost-${cost}@example.com`, password }
}

describe.each([
  ['first', [costing(8), costing(6), ADA, BOB, BARE]],
  ['last', [ADA, BOB, BARE, costing(6), costing(8)]],
])('where the %s of the users has the slowest hash', (_, users) => {
  const NAMES = [...users.map(({ email }) => email), 'nobody@example.com']

  it('costs as much as that one, for each of them and for nobody', async () => {
    const { ask } = await members({}, { users })
    for (const email of NAMES) {
      const count = comparisons()
      expect((await ask('POST', '/login', { email, password: 'wrong' })).status, email).toBe(401)
      expect([count().length, roundsOf(count())], email).toEqual([1, 2 ** 8])
      vi.restoreAllMocks()
    }
  })

  it('costs as much with the layer jwt, too', async () => {
    const listed = users.filter((user) => 'password' in user)
    const ask = asking(await serving(create().use(jwt({ users: listed as never, secret: 'x' }))))
    for (const email of NAMES) {
      const count = comparisons()
      expect((await ask('POST', '/login', { email, password: 'wrong' })).status, email).toBe(401)
      expect([count().length, roundsOf(count())], email).toEqual([1, 2 ** 8])
      vi.restoreAllMocks()
    }
  })
})

it('costs as much as the slowest hash that came since, by an edit of the file or by a new user', async () => {
  const { ask, path, login } = await members({ watch: true }, { users: [ADA], posts: [] })
  const rounds = async () => {
    const count = comparisons()
    expect((await ask('POST', '/login', { email: 'nobody@example.com', password: 'wrong' })).status).toBe(401)
    const counted = roundsOf(count())
    vi.restoreAllMocks()
    return counted
  }
  expect(await rounds()).toBe(2 ** 4)
  const { headers } = await login()
  writeFileSync(path, JSON.stringify({ users: [ADA, costing(7)], posts: [] }))
  // A write reads the file first.
  expect((await ask('POST', '/posts', {}, headers)).status).toBe(201)
  expect(await rounds()).toBe(2 ** 7)
  await ask('POST', '/register', { email: 'eve@example.com', password: 'password-of-eve' })
  expect(await rounds()).toBe(2 ** 10)
})

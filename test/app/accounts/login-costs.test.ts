import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { create } from '../../../src/app/express/app.ts'
import { jwt } from '../../../src/layers/jwt.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, BOB, members } from '../../support/http/members.ts'
import { serving } from '../../support/http/serving.ts'

/*
 * How long a login takes must not tell who has an account: each costs one comparison with a hash. They are counted where
 * they go to the thread that makes them, since milliseconds differ from machine to machine.
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

/** Counts passwords that are compared with a hash, until the test ends. */
function comparisons(): () => number {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => post.mockRestore())
  return () => post.mock.calls.filter(([job]) => typeof job === 'object' && 'hash' in job).length
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
    expect(count(), who).toBe(1)
    vi.restoreAllMocks()
  }
})

it('costs one where there are no users', async () => {
  const { ask } = await members({}, { users: [] })
  const count = comparisons()
  expect((await ask('POST', '/login', { email: ADA.email, password: 'wrong' })).status).toBe(401)
  expect(count()).toBe(1)
})

it.each(FIRST.filter(([, user]) => user !== BARE))(
  'costs one with the layer jwt, too, where the first user has %s',
  async (_, first) => {
    const users = [first, ...[ADA, BOB, SLOW, BROKEN].filter((user) => user !== first)]
    const ask = asking(await serving(create().use(jwt({ users: users as never, secret: 'x' }))))
    for (const [who, email, password, status] of WHO) {
      const count = comparisons()
      expect((await ask('POST', '/login', { email, password })).status, who).toBe(status)
      expect(count(), who).toBe(1)
      vi.restoreAllMocks()
    }
  },
)

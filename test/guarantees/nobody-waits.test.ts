import { hashSync } from 'bcryptjs'
import { expect, it } from 'vitest'
import type { RealServer } from '../support/child/real-server.ts'
import { burst, type Change } from '../support/hostile/burst.ts'
import { othersWaitAtBest } from '../support/hostile/others-wait.ts'
import { scene } from '../support/hostile/scene.ts'

/**
 * In milliseconds: no noise of a busy machine adds as much, and each of these would hold a server for longer if it did them in
 * one go. How long others really wait is measured in test/measured/waits.
 */
const NOBODY_WAITS = 2000

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

type Act = (server: RealServer) => Promise<unknown>

/** Requests that arrive together and must all be answered like this. */
function get(path: string, status = 200, count = 1): Act {
  return async ({ ask }) => {
    const answers = await Promise.all(times(count, () => ask('GET', path)))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
  }
}

function write(...change: Change): Act {
  return async ({ port }) => expect(await burst(port, [change])).toEqual([200])
}

const others = [{ id: 1 }]
const rows = times(100_000, (n) => ({ id: n + 1, name: `${'a'.repeat(60)}!${n}`, size: n % 7 }))
const list = times(3_300_000, (n) => n % 10)
const nested = `/items?${times(50, (n) => `list.c${n}=1`).join('&')}&_limit=0`
const body = `{"a":[${times(300_000, (n) => `{"k${n}":1}`).join()}]}`
const users = [{ id: 1, email: 'ada', password: hashSync('lovelace', 10) }]
const jwt = { config: { middlewares: ['jwt'] } }

async function logIn({ ask }: RealServer): Promise<void> {
  const logins = times(30, (n) =>
    ask('POST', '/login', { email: n % 3 ? 'ada' : `eve${n}`, password: 'wrong' }),
  )
  for (const { status } of await Promise.all(logins)) expect(status).toBe(401)
}

it.each<[string, Parameters<typeof scene>[0], Act]>([
  [
    'a pattern that V8 would take years for',
    { data: { items: rows, others } },
    get('/items?name_like=%28a%2B%29%2B%24', 200, 10),
  ],
  ['50 nested filters over a list of millions', { data: { items: [{ id: 1, list }], others } }, get(nested)],
  ['a row of 20 MB', { data: { items: [{ id: 1, list: [list, list] }], others } }, get('/items', 200, 2)],
  [
    'a change of a hundred thousand rows',
    { data: { items: rows, others } },
    write('PATCH', '/items?_all=true', { a: 1 }),
  ],
  ['a reset of a hundred thousand rows', { data: { items: rows, others } }, write('POST', '/__reset', {})],
  [
    'an object of the user’s own',
    { data: { items: rows, others }, from: 'db.mjs' },
    write('PATCH', '/items?_all=true', { a: 1 }),
  ],
  [
    'a body of megabytes',
    { data: { items: [], others } },
    async ({ ask }) => expect((await ask('POST', '/items', body)).status).toBe(201),
  ],
  ['many logins', { data: { users, others }, ...jwt }, logIn],
])('%s keeps no other client waiting', { timeout: 90_000 }, async (_, options, act) => {
  expect(await othersWaitAtBest(scene(options), act, '/others/1', NOBODY_WAITS)).toBeLessThan(NOBODY_WAITS)
})

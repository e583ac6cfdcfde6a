import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { endRealServers } from '../../support/child/real-server.ts'
import { dial } from '../../support/http/sockets.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../support/others-wait.ts'
import { attack, type Victim } from '../support/victim.ts'

const ROWS = Array.from({ length: 3000 }, (_, n) => ({
  id: n + 1,
  title: n % 2 === 0 ? `draft ${n}` : `Final ${n}`,
  name: `${'a'.repeat(60)}!`,
}))
const BOOK = { id: 1, text: `${'lorem ipsum dolor '.repeat(300_000)}end end!` }

let victim: Victim

beforeAll(async () => {
  victim = await attack({ items: ROWS, books: [BOOK] })
})

afterAll(endRealServers)

const like = (field: string, pattern: string) => `/items?${field}_like=${encodeURIComponent(pattern)}`

/** Patterns that V8 would never finish, and that re2 cannot match. */
const ENDLESS: readonly (readonly [string, (n: number) => string])[] = [
  ['looks ahead', () => '(?=(a+)+$)b'],
  ['looks back', () => '(?<=b(a|aa)+)!'],
  ['refers back', () => '(a*)*\\1b'],
  // Each is given a third of a second, one after the other.
  ['is another each time', (n) => `(?!${n % 6})(a|a?a)+$`],
]

it.each(ENDLESS)(
  'a pattern that %s endlessly is refused, 20 at the same time, and others are served',
  async (_, of) => {
    const wait = await othersWaitAtBest(
      async () => victim,
      async () => {
        const asks = Array.from({ length: 20 }, (_, n) => victim.ask('GET', like('name', of(n))))
        const fair = victim.ask('GET', like('title', '^(?!draft)'))
        for (const { status, body } of await Promise.all(asks)) {
          expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 400, code: 'PATTERN_TOO_SLOW' })
        }
        const { status, headers } = await fair
        expect([status, headers['x-total-count']]).toEqual([200, '1500'])
      },
    )
    expect(wait).toBeLessThan(LONGEST_WAIT)
  },
  60_000,
)

it('nobody waits for clients that sent endless patterns and left', async () => {
  const sockets = await Promise.all(Array.from({ length: 90 }, () => dial(victim.port)))
  for (const [n, socket] of sockets.entries()) {
    socket.write(
      `GET ${like('name', `(?!left${n})(a|a?a)+$`)} HTTP/1.1\r\nHost: 127.0.0.1:${victim.port}\r\n\r\n`,
    )
  }
  expect((await victim.ask('GET', '/items/1')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  const begun = performance.now()
  const { status, headers } = await victim.ask('GET', like('title', '^(?!draft)'))
  expect([status, headers['x-total-count']]).toEqual([200, '1500'])
  // Together, they would occupy the thread for half a minute.
  expect(performance.now() - begun).toBeLessThan(10_000)
})

it('a pattern with lookaround is matched in a text of 5 MB, and keeps nobody waiting', async () => {
  const wait = await othersWaitAtBest(
    async () => victim,
    async () => {
      const found = await victim.ask(
        'HEAD',
        `/books?text_like=${encodeURIComponent('(?<=dolor )(\\w+) \\1!')}`,
      )
      expect([found.status, found.headers['x-total-count']]).toEqual([200, '1'])
    },
  )
  expect(wait).toBeLessThan(LONGEST_WAIT)
})

it.runIf(process.platform === 'linux')(
  'only one thread is left in the end, and the process exits when told to',
  async () => {
    const threads = () => readdirSync(`/proc/${victim.process.child.pid}/task`).length
    const most = (await attack({ items: ROWS.slice(0, 1) })).process.child.pid
    const usual = readdirSync(`/proc/${most}/task`).length
    await vi.waitFor(() => expect(threads()).toBeLessThanOrEqual(usual + 6), 10_000)
    // Also in the middle of one.
    const asked = victim.ask('GET', like('name', '(?=(a+)+$)c')).catch(() => undefined)
    expect(await victim.stop('SIGTERM')).toBe(0)
    await asked
  },
)

import { describe, expect, it } from 'vitest'
import type { RealServer } from '../../support/child/real-server.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'
import { scene } from '../../support/hostile/scene.ts'

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

const items = times(20_000, (n) => ({ id: n + 1, name: `p${n}`, at: '2026-01-01T00:00:00Z' }))
const start = scene({ data: { items } })

/** All rows changed by one request, which the history still keeps. */
async function changed(): Promise<RealServer> {
  const server = await start()
  expect((await server.ask('PATCH', '/items?_all=true', { size: 1 })).status).toBe(200)
  return server
}

const since = async ({ ask }: RealServer) => JSON.parse((await ask('GET', '/__changes')).body).version - 1

const ACTS: readonly [
  string,
  () => Promise<RealServer>,
  (server: RealServer, n: number) => Promise<number>,
][] = [
  ['read the history', changed, async ({ ask }) => (await ask('GET', '/__history')).status],
  [
    'follow changes',
    changed,
    async (server) => (await server.ask('GET', `/__changes?since=${await since(server)}`)).status,
  ],
  [
    'undo and redo, and read',
    changed,
    async ({ ask }, n) => {
      if (n > 0) return (await ask('GET', '/items/1')).status
      expect((await ask('POST', '/__undo')).status).toBe(200)
      return (await ask('POST', '/__redo')).status
    },
  ],
  ['reset', changed, async ({ ask }) => (await ask('POST', '/__reset')).status],
  [
    'change everything in sessions of their own, and read',
    start,
    async ({ ask }, n) => {
      const headers = { 'X-Mock-Session': `s${n}` }
      if (n > 1) return (await ask('GET', '/items/1', undefined, headers)).status
      return (await ask('PATCH', '/items?_all=true', { size: 1 }, headers)).status
    },
  ],
  [
    'look rows up in their sessions, while the base changes',
    start,
    async ({ ask }, n) => {
      const headers = { 'X-Mock-Session': `s${n}` }
      await ask('GET', '/items/1', undefined, headers)
      await ask('PATCH', `/items/${n + 1}`, { size: 1 })
      return (await ask('GET', '/items/20000', undefined, headers)).status
    },
  ],
]

describe('five clients', { timeout: 120_000 }, () => {
  it.each(ACTS)('that %s keep no other waiting for half a second', async (_, begin, act) => {
    const wait = await othersWaitAtBest(begin, async (server) => {
      const statuses = await Promise.all(times(5, (n) => act(server, n)))
      expect(statuses).toEqual(statuses.map(() => 200))
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })
})

import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { Clock } from '../../../src/core/kernel/util/clock.ts'
import { Feed } from '../../../src/core/kernel/util/feed.ts'
import { BaseWorld, servedWorldOf } from '../../../src/features/served-world.ts'
import { enterSession, findWorld } from '../../../src/features/sessions/find-world.ts'
import { Sessions } from '../../../src/features/sessions/sessions.ts'
import { echo } from '../../support/http/echo.ts'

const MINUTE = 60_000

/** Answers with the number of rows in the session, after it has inserted one with this text. */
const rows: RequestHandler = async (req, res) => {
  const engine = servedWorldOf(req)?.engine
  const text = req.method === 'POST' ? 'x'.repeat(Number(req.query.size)) : undefined
  if (text !== undefined) await engine?.write({ kind: 'insert', collection: 'posts', rows: [{ text }] })
  const { found } = (await engine?.read({ kind: 'database' })) ?? {}
  res.json(Array.isArray(found?.posts) ? found.posts.length : undefined)
}

/** Requests in sessions, by a clock of the test's own. */
async function open() {
  const engine = new Engine({ posts: [] }, { id: 'id', foreignKeySuffix: 'Id' })
  const base = new BaseWorld(engine, new Clock(), new Feed())
  const clock = { now: 0 }
  const sessions = new Sessions({
    base: () => base,
    limits: () => ({ max: 2, idleMs: 30 * MINUTE }),
    now: () => clock.now,
  })
  const { port } = await echo([findWorld(base, sessions, () => undefined), enterSession(sessions), rows])
  const ask = async (name: string, size?: number) => {
    const headers = { 'X-Mock-Session': name }
    const init = { headers, ...(size !== undefined && { method: 'POST' }) }
    const response = await fetch(`http://127.0.0.1:${port}/?size=${size}`, init)
    const body: unknown = await response.json()
    return response.status === 200 ? body : Reflect.get(Object(body), 'code')
  }
  return { clock, ask, names: () => sessions.opened().map(({ name }) => name) }
}

describe('a request in a session', () => {
  it('finds another copy once the session was idle for too long, and each request counts', async () => {
    const { clock, ask } = await open()
    expect(await ask('a', 1)).toBe(1)
    for (let turn = 0; turn < 2; turn += 1) {
      clock.now += 30 * MINUTE - 1
      expect(await ask('a')).toBe(1)
    }
    clock.now += 30 * MINUTE
    expect(await ask('a')).toBe(0)
  })

  it('opens another one: the longest idle makes room, unless it was used in the last minute', async () => {
    const { clock, ask, names } = await open()
    for (const name of ['a', 'b']) await ask(name)
    clock.now += MINUTE - 1
    expect(await ask('c')).toBe('TOO_MANY_SESSIONS')
    clock.now += 1
    expect(await ask('c')).toBe(0)
    expect(names()).toEqual(['c', 'b'])
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { Clock } from '../../../src/core/kernel/util/clock.ts'
import { Feed } from '../../../src/core/kernel/util/feed.ts'
import { BaseWorld } from '../../../src/features/served-world.ts'
import { Sessions, type SessionsOptions } from '../../../src/features/sessions/sessions.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const MINUTE = 60_000

/** Sessions with a clock of the test's own. */
function open(limits: Partial<ReturnType<SessionsOptions['limits']>> = {}) {
  const base = new BaseWorld(new Engine({ posts: [{ id: 1 }] }, NAMING), new Clock(), new Feed())
  const clock = { now: 0 }
  const sessions = new Sessions({
    base: () => base,
    limits: () => ({ max: 3, idleMs: 30 * MINUTE, ...limits }),
    now: () => clock.now,
  })
  const names = () => sessions.opened().map(({ name }) => name)
  const insert = async (name: string, text: string) => {
    const session = sessions.open(name)
    await session?.engine.write({ kind: 'insert', collection: 'posts', rows: [{ text }] })
  }
  return { base, clock, sessions, names, insert }
}

describe('sessions', () => {
  it('are opened by their first use, and kept', () => {
    const { sessions, names } = open()
    const first = sessions.open('a')
    expect(sessions.peek('b')).toBeUndefined()
    expect(sessions.open('a')).toBe(first)
    sessions.open('b')
    expect(names()).toEqual(['b', 'a'])
  })

  it.each([
    ['right before', 30 * MINUTE - 1, ['a']],
    ['when', 30 * MINUTE, []],
  ])('end %s they are idle for as long as they may be', (_, passed, left) => {
    const { sessions, clock, names } = open()
    sessions.open('a')
    clock.now = 5 * MINUTE
    sessions.open('a')
    clock.now += passed
    expect(names()).toEqual(left)
  })

  it('make room for another one: the longest idle ends', () => {
    const { sessions, clock, names } = open()
    for (const name of ['a', 'b', 'c', 'a']) {
      sessions.open(name)
      clock.now += MINUTE
    }
    expect(sessions.open('d')).toBeDefined()
    expect(names()).toEqual(['d', 'a', 'c'])
  })

  it('refuse another one as long as each is in use', () => {
    const { sessions, clock, names } = open()
    for (const name of ['a', 'b', 'c']) sessions.open(name)
    clock.now = MINUTE - 1
    expect(sessions.open('d')).toBeUndefined()
    expect(sessions.open('b')).toBeDefined()
    clock.now = MINUTE
    expect(sessions.open('d')).toBeDefined()
    expect(names()).toEqual(['d', 'b', 'c'])
  })

  it('number changes beyond those of an earlier one of that name, however fast they came', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { sessions, insert } = open()
    for (const text of ['1', '2', '3']) await insert('a', text)
    const before = sessions.peek('a')?.engine.history.version ?? 0
    expect(before).toBe(1_800_000_000_003)
    sessions.end('a')
    const again = sessions.open('a')
    expect(again?.engine.history.version).toBeGreaterThan(before)
    expect(again?.engine.history.since(before)).toBeUndefined()
  })

  it('tell whether there was one to end, or can be one to reset', async () => {
    const { sessions } = open()
    expect([sessions.end('a'), await sessions.reset('a'), await sessions.reset('?')]).toEqual([
      false,
      true,
      false,
    ])
    let ended = 0
    const session = sessions.open('a')
    session?.onEnd(() => ended++)
    expect(await sessions.reset('a')).toBe(true)
    sessions.endAll()
    expect([sessions.end('a'), ended]).toEqual([false, 1])
  })
})

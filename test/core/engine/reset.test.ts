import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Commit } from '../../../src/core/engine/data/store.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { openOnDesk } from '../../support/engine/desk.ts'

const data = (): Data => ({ posts: [{ id: 1, title: 'a' }], profile: { name: 'x' }, $schema: 's' })

const ALL = { where: [{ path: 'id', op: 'gte', values: ['0'] } as const] }

async function afterReset(engine: Engine): Promise<Data> {
  await engine.reset()
  return (await engine.read({ kind: 'database' })).found
}

async function change(engine: Engine): Promise<void> {
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  await engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { title: 'b' } })
  await engine.write({ kind: 'merge-object', name: 'profile', fields: { name: 'y' } })
}

describe('the content that a reset goes back to', () => {
  it.each([
    ['of its own', false],
    ['that others hold too', true],
  ])('is that of the start, whatever was written since, with data %s', async (_, isShared) => {
    const { engine, desk } = openOnDesk(data(), { isShared })
    for (const _round of ['once', 'again']) {
      await change(engine)
      expect(await afterReset(engine)).toEqual(data())
      expect(JSON.parse(desk.saved)).toEqual(data())
    }
  })

  it('is what somebody edited outside, from then on', async () => {
    const { engine, desk } = openOnDesk(data())
    desk.edit({ posts: [{ id: 7 }] })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await afterReset(engine)).toEqual({ posts: [{ id: 7 }] })
    await engine.write({ kind: 'replace-database', data: { posts: [{ id: 8 }] } }, { isOutside: true })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await afterReset(engine)).toEqual({ posts: [{ id: 8 }] })
  })

  it('is no old copy of data that a store of versions has replaced: that is where it is read from', async () => {
    const origin = async () => data()
    const engine = new Engine({ posts: [{ id: 7 }] }, { id: 'id', foreignKeySuffix: 'Id', origin })
    const past = { base: 5, bottom: 5, commits: [] }
    await engine.takeOver({ kind: 'content', data: { posts: [{ id: 8 }] }, version: 5, past })
    expect(engine.origin).toBe(engine.database)
    expect(await afterReset(engine)).toEqual(data())
    expect(engine.origin).toBe(engine.database)
  })

  it('is what somebody has just edited outside, although nobody has read it yet', async () => {
    const { engine, desk } = openOnDesk(data())
    desk.edit({ posts: [{ id: 7 }] })
    expect(await afterReset(engine)).toEqual({ posts: [{ id: 7 }] })
  })

  it('is the last that could be read, where what somebody edited cannot be', async () => {
    const { engine, desk } = openOnDesk(data())
    desk.edit({})
    desk.saved = 'not JSON'
    expect(await afterReset(engine)).toEqual(data())
    expect(JSON.parse(desk.saved)).toEqual(data())
  })

  it('is not what was restored, or written through db', async () => {
    const { engine } = openOnDesk(data())
    await engine.write({ kind: 'replace-database', data: { posts: [] } })
    const live = liveDataOf(engine)
    live.setState({ posts: [] })
    await live.save()
    expect(await afterReset(engine)).toEqual(data())
  })

  it('does not see what others change in place', async () => {
    const { engine } = openOnDesk(data())
    Object.assign((liveDataOf(engine).data.posts as object[])[0] ?? {}, { title: 'mine' })
    expect(await afterReset(engine)).toEqual(data())
    const given = data()
    const live = openLive({ data: given }, { id: 'id', foreignKeySuffix: 'Id' })
    Object.assign((given.posts as object[])[0] ?? {}, { title: 'mine' })
    expect(await afterReset(live)).toEqual(data())
    expect(given).toEqual(data())
  })

  it('is read anew each time, where the engine was told where from', async () => {
    let turn = 0
    const { engine } = openOnDesk(data(), { origin: async () => ({ posts: [{ id: ++turn }] }) })
    expect(await afterReset(engine)).toEqual({ posts: [{ id: 1 }] })
    expect(await afterReset(engine)).toEqual({ posts: [{ id: 2 }] })
  })

  it('is told in one commit without effects, with who asked for it', async () => {
    const { engine } = openOnDesk(data())
    await change(engine)
    const commits: Commit[] = []
    engine.subscribe((commit) => commits.push(commit))
    await engine.reset({ url: '/__reset' })
    expect(commits).toMatchObject([{ names: ['posts', 'profile'], meta: { url: '/__reset' } }])
    expect(commits[0]?.effects).toBeUndefined()
    expect(commits[0]?.isOutside).toBeUndefined()
  })
})

type Act = (engine: Engine, edit: () => void) => Promise<unknown>

it.each<[string, Act, number, Act?]>([
  ['rules that compute all rows let', async () => {}, 100],
  [
    'rules that compute all rows, those of the start and of the history too, let',
    async () => {},
    // Those of the history before and after.
    100 + 100 + 200,
    (engine) => engine.write({ kind: 'merge-where', collection: 'posts', where: ALL, fields: { a: 1 } }),
  ],
  ['a reset lets', (engine) => engine.reset(), 200],
  [
    'an edited file lets',
    (engine, edit) => {
      edit()
      return engine.refresh()
    },
    200,
  ],
])('%s others go on', async (_, act, computations, prepare) => {
  const content = { posts: Array.from({ length: 100 }, (_none, id) => ({ id })) }
  const { engine, desk } = openOnDesk(content)
  const edit = () => desk.edit(content)
  await prepare?.(engine, edit)
  let time = 0
  vi.spyOn(Date, 'now').mockImplementation(() => time)
  onTestFinished(() => void vi.restoreAllMocks())
  // Each takes a millisecond.
  const computed = { time: () => ++time }
  let [longest, last] = [0, time]
  const others = () => {
    longest = Math.max(longest, time - last)
    last = time
    waiting = setImmediate(others)
  }
  let waiting = setImmediate(others)
  await engine.useRules({ now: () => new Date(0), resources: new Map([['posts', { computed }]]) })
  await new Promise(setImmediate)
  await act(engine, edit)
  clearImmediate(waiting)
  expect(time).toBe(computations)
  expect(longest).toBeLessThan(10)
})

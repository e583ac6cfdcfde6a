import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import { History } from '../../../src/storage/history/history.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import type { Data } from '../../../src/storage/types.ts'
import { Desk } from '../../support/engine/desk.ts'
import { RemoteEngine } from '../../support/engine/remote-engine.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const START = 1_700_000_000_000
const MB = 1024 * 1024

function open(data: Data = { posts: [{ id: 1, title: 'a' }], profile: { name: 'x' } }) {
  const desk = new Desk(data)
  const engine = new LocalEngine(data, { ...NAMING, medium: desk, isOwned: true })
  let time = START
  const history = new History(engine, { now: () => time++ })
  return { desk, engine, history }
}

const post = (title: unknown): RowChange => ({ kind: 'insert', collection: 'posts', rows: [{ title }] })
const patch = (title: string): RowChange => ({
  kind: 'merge',
  collection: 'posts',
  id: '1',
  fields: { title },
})

async function titles(engine: Engine): Promise<unknown> {
  const { found } = await engine.read({ kind: 'database' })
  return (found.posts as { title: string }[]).map(({ title }) => title).join()
}

const versionsOf = (history: History) => history.list(2000).map(({ version }) => version - START)

describe('a history', () => {
  it('numbers changes from the millisecond of its start', async () => {
    const { engine, history } = open()
    expect(history.version).toBe(START)
    await engine.write(post('b'))
    await engine.write(patch('c'))
    expect(versionsOf(history)).toEqual([2, 1])
  })

  it('tells when each change was made, by whom, and what it did', async () => {
    const { engine, history } = open()
    await engine.write(patch('b'), { note: { method: 'PATCH', url: '/posts/1', session: 's', other: 1 } })
    expect(history.list(1)).toMatchObject([
      {
        version: START + 1,
        time: START + 1,
        note: { method: 'PATCH', url: '/posts/1', session: 's' },
        names: ['posts'],
        effects: [
          {
            kind: 'rows',
            name: 'posts',
            removed: [],
            added: [],
            replaced: [{ before: { id: 1, title: 'a' }, after: { id: 1, title: 'b' } }],
          },
        ],
        top: START + 1,
      },
    ])
  })

  it('goes back and forth step by step, saving each', async () => {
    const { engine, history, desk } = open()
    await engine.write(post('b'))
    await engine.write(post('c'))
    expect(await history.undo()).toEqual([START + 2])
    expect(await history.undo()).toEqual([START + 1])
    expect(await titles(engine)).toBe('a')
    expect(desk.saves).toBe(4)
    expect(desk.saved).not.toContain('"b"')
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await history.redo()).toEqual([START + 1])
    expect(await history.redo()).toEqual([START + 2])
    expect(await titles(engine)).toBe('a,b,c')
    await expect(history.redo()).rejects.toMatchObject({ code: 'NOTHING_TO_REDO' })
  })

  it('goes to any version in one change that is saved once', async () => {
    const { engine, history, desk } = open()
    for (const title of ['b', 'c', 'd']) await engine.write(post(title))
    expect(await history.undo({ to: START })).toEqual([START + 3, START + 2, START + 1])
    expect(await titles(engine)).toBe('a')
    expect(desk.saves).toBe(4)
    expect(await history.redo({ to: START + 2 })).toEqual([START + 1, START + 2])
    expect(await titles(engine)).toBe('a,b,c')
    // Version 4 was the undo: the data as it was right after it.
    expect(await history.undo({ to: START + 4 })).toEqual([START + 2, START + 1])
    expect(await titles(engine)).toBe('a')
    expect(history.list(1)).toMatchObject([{ undoes: [START + 2, START + 1] }])
  })

  it('has nothing to do where the data is in that state already', async () => {
    const { engine, history, desk } = open()
    await engine.write(post('b'))
    expect(await history.undo({ to: START + 1 })).toEqual([])
    expect(await history.redo({ to: START + 1 })).toEqual([])
    expect(desk.saves).toBe(1)
  })

  it.each<[string, 'undo' | 'redo', number, string]>([
    ['ahead of what is undone', 'undo', 2, 'NOTHING_TO_UNDO'],
    ['behind what is to be redone', 'redo', 0, 'NOTHING_TO_REDO'],
    ['from before the start', 'undo', -1, 'HISTORY_GONE'],
    ['that is yet to come', 'redo', 9, 'HISTORY_GONE'],
  ])('does not go to a version %s', async (_, direction, to, code) => {
    const { engine, history, desk } = open()
    await engine.write(post('b'))
    await engine.write(post('c'))
    await history.undo()
    await expect(history[direction]({ to: START + to })).rejects.toMatchObject({ code })
    expect(desk.saves).toBe(3)
  })

  it('forgets what was undone with the next change', async () => {
    const { engine, history } = open()
    await engine.write(post('b'))
    await history.undo()
    await engine.write(post('c'))
    await expect(history.redo()).rejects.toMatchObject({ code: 'NOTHING_TO_REDO' })
    await expect(history.undo({ to: START + 1 })).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    await history.undo()
    expect(await titles(engine)).toBe('a')
  })

  it('undoes changes that cancel each other out, although nothing changes then', async () => {
    const { engine, history, desk } = open()
    await engine.write(post('b'))
    await engine.write({ kind: 'remove', collection: 'posts', id: '2' })
    const { saved } = desk
    expect(await history.undo({ to: START })).toEqual([START + 2, START + 1])
    expect(desk.saved).toBe(saved)
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await history.redo()
    expect(await titles(engine)).toBe('a,b')
  })

  it('keeps nothing of a dry run or of a change that was refused', async () => {
    const { engine, history, desk } = open()
    await engine.write(post('b'), { dryRun: true })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 1 }] }).catch(() => {})
    desk.refuses = true
    await engine.write(post('c')).catch(() => {})
    expect(history.version).toBe(START)
    desk.refuses = false
    await engine.write(post('d'))
    desk.refuses = true
    await expect(history.undo()).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    desk.refuses = false
    await history.undo()
    expect(await titles(engine)).toBe('a')
  })

  it.each<[string, (opened: ReturnType<typeof open>) => unknown]>([
    ['a restored snapshot', ({ engine }) => engine.write({ kind: 'replace-database', data: { posts: [] } })],
    [
      'an edit from outside',
      ({ desk, engine }) => {
        desk.isForeign = true
        desk.saved = '{"posts":[]}'
        return engine.refresh()
      },
    ],
    ['db.write()', ({ engine }) => engine.live.save()],
    ['db.setState()', ({ engine }) => engine.live.setState({ posts: [] })],
  ])('ends with %s, and begins again', async (_, end) => {
    const opened = open()
    const { engine, history } = opened
    await engine.write(post('b'))
    await end(opened)
    expect(history.version).toBe(START + 2)
    expect(history.list(10)).toEqual([])
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await expect(history.undo({ to: START + 1 })).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    expect(history.since(START + 1)).toBeUndefined()
    expect(history.since(START + 2)).toEqual([])
    await engine.write(post('c'))
    expect(await history.undo({ to: START + 2 })).toEqual([START + 3])
  })

  it('refuses to undo what somebody changed in place since', async () => {
    const data = { posts: [{ id: 1, title: 'a' }] }
    const engine = new LocalEngine(data, NAMING)
    const history = new History(engine, { now: Date.now })
    await engine.write(patch('b'))
    Object.assign(data.posts[0] ?? {}, { title: 'mine' })
    await expect(history.undo()).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    expect(data.posts).toEqual([{ id: 1, title: 'mine' }])
  })

  it('keeps rows of its own from the moment others may change those of the data', async () => {
    const { engine, history } = open()
    await engine.write(patch('b'))
    await engine.write(patch('c'))
    await history.undo()
    history.copyRows()
    const [row] = (engine.live.share().posts ?? []) as { title: string }[]
    Object.assign(row ?? {}, { title: 'mine' })
    await expect(history.undo()).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    await expect(history.redo()).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    expect(JSON.stringify(history.list(3))).not.toContain('mine')
  })

  it('copies them once, however often the data is handed out', async () => {
    const { engine, history } = open()
    await engine.write(patch('b'))
    history.copyRows()
    engine.live.share()
    await engine.write(patch('c'))
    const before = history.list(2).map(({ effects }) => effects)
    history.copyRows()
    for (const [at, { effects }] of history.list(2).entries()) expect(effects).toBe(before[at])
  })

  it('takes one undo after the other, however they arrive', async () => {
    const { engine, history } = open()
    for (const title of ['b', 'c', 'd']) await engine.write(post(title))
    expect(await Promise.all([history.undo(), history.undo(), history.redo(), history.undo()])).toEqual([
      [START + 3],
      [START + 2],
      [START + 2],
      [START + 2],
    ])
    expect(await titles(engine)).toBe('a,b')
  })

  it('counts an undo that another change overtook as a change of its own', async () => {
    const { engine, history } = open()
    await engine.write(patch('b'))
    const undoing = history.undo()
    // By now it waits for what others may have changed underneath.
    await Promise.resolve()
    const [, undone] = await Promise.all([engine.write(post('c')), undoing])
    expect(undone).toEqual([START + 1])
    expect(await titles(engine)).toBe('a,c')
    await history.undo({ to: START + 2 })
    expect(await titles(engine)).toBe('b,c')
    await history.undo({ to: START })
    expect(await titles(engine)).toBe('a')
  })

  it('works with an engine that answers later', async () => {
    const data = { posts: [{ id: 1, title: 'a' }] }
    const engine = new RemoteEngine(new LocalEngine(data, { ...NAMING, isOwned: true }))
    const history = new History(engine, { now: Date.now })
    await engine.write(post('b'))
    await history.undo()
    expect(await titles(engine)).toBe('a')
    await history.redo()
    expect(await titles(engine)).toBe('a,b')
  })

  it('hears nothing any more once it is closed', async () => {
    const { engine, history } = open()
    history.close()
    await engine.write(post('b'))
    expect(history.version).toBe(START)
  })
})

describe('what a history keeps', () => {
  it('are the last 1,000 changes, undone or not', async () => {
    const { engine, history } = open()
    for (let count = 0; count < 1003; count += 1) await engine.write(patch(String(count)))
    expect(versionsOf(history)).toHaveLength(1000)
    expect(history.since(START + 2)).toBeUndefined()
    expect(history.since(START + 3)).toHaveLength(1000)
    await expect(history.undo({ to: START + 2 })).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    for (let count = 0; count < 1000; count += 1) await history.undo()
    expect(await titles(engine)).toBe('2')
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await history.redo({ to: START + 1003 })).toHaveLength(1000)
    expect(await titles(engine)).toBe('1002')
  })

  it.each<[string, () => unknown]>([
    ['letters', () => 'x'.repeat(MB)],
    ['letters of three bytes', () => '語'.repeat(MB / 3)],
    ['many values', () => Array.from({ length: MB / 64 }, () => 'x'.repeat(61))],
  ])('are 16 MB at most, in rows of 1 MB of %s', async (_, make) => {
    const { engine, history } = open()
    for (let count = 0; count < 20; count += 1) await engine.write(post(make()))
    await expect.poll(() => versionsOf(history).length).toBe(15)
    expect(history.bytes).toBeGreaterThan(15 * MB)
    expect(history.bytes).toBeLessThanOrEqual(16 * MB)
    expect(await history.undo({ to: START + 5 })).toHaveLength(15)
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  it.each<[string, RowChange]>([
    ['one huge row', { kind: 'remove', collection: 'files', id: '1' }],
    ['many small ones', { kind: 'merge-where', collection: 'posts', where: { where: [] }, fields: { a: 1 } }],
  ])('is nothing where %s take more than that alone', async (_, change) => {
    const posts = Array.from({ length: 100_000 }, (_none, at) => ({ id: at, title: 'x'.repeat(100) }))
    const { engine, history } = open({ files: [{ id: 1, body: 'x'.repeat(17 * MB) }], posts })
    await engine.write(post('b'))
    await engine.write(change)
    await expect.poll(() => history.bytes).toBe(0)
    await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(history.since(START + 2)).toEqual([])
    await engine.write(post('c'))
    expect(await history.undo()).toEqual([START + 3])
  })

  it('counts what was undone and cannot come back no longer', async () => {
    const { engine, history } = open()
    for (let count = 0; count < 12; count += 1) {
      await engine.write(post('x'.repeat(5 * MB)))
      await history.undo()
    }
    await engine.write(post('b'))
    expect(await history.undo()).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import type { Direction, RowChange } from '../../../src/core/engine/change.ts'
import type { Engine } from '../../../src/core/engine/engine.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { openOnDesk } from '../../support/engine/desk.ts'

const START = 1_700_000_000_000
const MB = 1024 * 1024

function open(data: Data = { posts: [{ id: 1, title: 'a' }], profile: { name: 'x' } }) {
  let time = START
  const past = { base: START, bottom: START, commits: [] }
  return openOnDesk(data, { past, now: () => ++time })
}

const undo = (engine: Engine, to?: number) => move(engine, 'undo', to)
const redo = (engine: Engine, to?: number) => move(engine, 'redo', to)

function move(engine: Engine, direction: Direction, to?: number): Promise<readonly number[]> {
  return engine.write({ kind: 'move', direction, to })
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

const versionsOf = ({ history }: Engine) => history.list(2000).map(({ version }) => version - START)

describe('a history', () => {
  it('numbers changes from the millisecond of its start', async () => {
    const { engine } = open()
    expect(engine.history.version).toBe(START)
    await engine.write(post('b'))
    await engine.write(patch('c'))
    expect(versionsOf(engine)).toEqual([2, 1])
  })

  it('tells when each change was made, by whom, and what it did', async () => {
    const { engine } = open()
    const meta = { method: 'PATCH', url: '/posts/1', session: 's' }
    await engine.write(patch('b'), { meta })
    const rows = [{ rank: 0, before: { id: 1, title: 'a' }, after: { id: 1, title: 'b' } }]
    expect(engine.history.list(1)).toMatchObject([
      {
        version: START + 1,
        time: START + 1,
        meta,
        names: ['posts'],
        effects: [{ kind: 'rows', name: 'posts', rows }],
        top: START + 1,
      },
    ])
  })

  it('goes back and forth step by step, saving each', async () => {
    const { engine, desk } = open()
    await engine.write(post('b'))
    await engine.write(post('c'))
    expect(await undo(engine)).toEqual([START + 2])
    expect(await undo(engine)).toEqual([START + 1])
    expect(await titles(engine)).toBe('a')
    expect(desk.saves).toBe(4)
    expect(desk.saved).not.toContain('"b"')
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await redo(engine)).toEqual([START + 1])
    expect(await redo(engine)).toEqual([START + 2])
    expect(await titles(engine)).toBe('a,b,c')
    await expect(redo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_REDO' })
  })

  it('goes to any version in one change that is saved once', async () => {
    const { engine, desk } = open()
    for (const title of ['b', 'c', 'd']) await engine.write(post(title))
    expect(await undo(engine, START)).toEqual([START + 3, START + 2, START + 1])
    expect(await titles(engine)).toBe('a')
    expect(desk.saves).toBe(4)
    expect(await redo(engine, START + 2)).toEqual([START + 1, START + 2])
    expect(await titles(engine)).toBe('a,b,c')
    // Version 4 was the undo: the data as it was right after it.
    expect(await undo(engine, START + 4)).toEqual([START + 2, START + 1])
    expect(await titles(engine)).toBe('a')
    expect(engine.history.list(1)).toMatchObject([{ undoes: [START + 2, START + 1] }])
  })

  it('has nothing to do where the data is in that state already', async () => {
    const { engine, desk } = open()
    await engine.write(post('b'))
    expect(await undo(engine, START + 1)).toEqual([])
    expect(await redo(engine, START + 1)).toEqual([])
    expect(desk.saves).toBe(1)
  })

  it.each<[string, 'undo' | 'redo', number, string]>([
    ['ahead of what is undone', 'undo', 2, 'NOTHING_TO_UNDO'],
    ['behind what is to be redone', 'redo', 0, 'NOTHING_TO_REDO'],
    ['from before the start', 'undo', -1, 'HISTORY_GONE'],
    ['that is yet to come', 'redo', 9, 'HISTORY_GONE'],
  ])('does not go to a version %s', async (_, direction, to, code) => {
    const { engine, desk } = open()
    await engine.write(post('b'))
    await engine.write(post('c'))
    await undo(engine)
    await expect(move(engine, direction, START + to)).rejects.toMatchObject({ code })
    expect(desk.saves).toBe(3)
  })

  it('forgets what was undone with the next change', async () => {
    const { engine } = open()
    await engine.write(post('b'))
    await undo(engine)
    await engine.write(post('c'))
    await expect(redo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_REDO' })
    await expect(undo(engine, START + 1)).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    await undo(engine)
    expect(await titles(engine)).toBe('a')
  })

  it('undoes changes that cancel each other out, although nothing changes then', async () => {
    const { engine, desk } = open()
    await engine.write(post('b'))
    await engine.write({ kind: 'remove', collection: 'posts', id: '2' })
    const { saved } = desk
    expect(await undo(engine, START)).toEqual([START + 2, START + 1])
    expect(desk.saved).toBe(saved)
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await redo(engine)
    expect(await titles(engine)).toBe('a,b')
  })

  it('keeps nothing of a dry run or of a change that was refused', async () => {
    const { engine, desk } = open()
    await engine.write(post('b'), { dryRun: true })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 1 }] }).catch(() => {})
    desk.refuses = true
    await engine.write(post('c')).catch(() => {})
    expect(engine.history.version).toBe(START)
    desk.refuses = false
    await engine.write(post('d'))
    desk.refuses = true
    await expect(undo(engine)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    desk.refuses = false
    await undo(engine)
    expect(await titles(engine)).toBe('a')
  })

  it.each<[string, (opened: ReturnType<typeof open>) => unknown]>([
    ['a restored snapshot', ({ engine }) => engine.write({ kind: 'replace-database', data: { posts: [] } })],
    [
      'an edit from outside',
      ({ desk, engine }) => {
        desk.edit({ posts: [] })
        return engine.refresh()
      },
    ],
    ['db.write()', ({ engine }) => liveDataOf(engine).save()],
    [
      'db.setState()',
      ({ engine }) => {
        liveDataOf(engine).setState({ posts: [] })
        return engine.refresh()
      },
    ],
  ])('ends with %s, and begins again', async (_, end) => {
    const opened = open()
    const { engine } = opened
    await engine.write(post('b'))
    await end(opened)
    expect(engine.history.version).toBe(START + 2)
    expect(engine.history.list(10)).toEqual([])
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await expect(undo(engine, START + 1)).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    expect(engine.history.since(START + 1)).toBeUndefined()
    expect(engine.history.since(START + 2)).toEqual([])
    await engine.write(post('c'))
    expect(await undo(engine, START + 2)).toEqual([START + 3])
  })

  it('refuses to undo what somebody changed in place since', async () => {
    const data = { posts: [{ id: 1, title: 'a' }] }
    const engine = openLive({ data }, { id: 'id', foreignKeySuffix: 'Id' })
    await engine.write(patch('b'))
    Object.assign(data.posts[0] ?? {}, { title: 'mine' })
    await expect(undo(engine)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    expect(data.posts).toEqual([{ id: 1, title: 'mine' }])
  })

  it.each<[string, (data: Data) => Engine]>([
    ['a file', (data) => open(data).engine],
    ['a live object', (data) => openLive({ data }, { id: 'id', foreignKeySuffix: 'Id' })],
  ])('brings back a row of %s that had an id with another from the start', async (_, openData) => {
    const [row, data] = [{ id: 1 }, () => ({ posts: [row, row, { id: 2 }] })] as const
    const engine = openData(data())
    await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
    await undo(engine)
    expect((await engine.read({ kind: 'database' })).found).toEqual(data())
  })

  it('keeps rows of its own, which those who hold the data cannot change', async () => {
    const { engine } = open()
    await engine.write(patch('b'))
    await engine.write(patch('c'))
    await undo(engine)
    const [row] = (liveDataOf(engine).data.posts ?? []) as { title: string }[]
    Object.assign(row ?? {}, { title: 'mine' })
    await expect(undo(engine)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    await expect(redo(engine)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
    expect(JSON.stringify(engine.history.list(3))).not.toContain('mine')
  })

  it('takes one undo after the other, however they arrive', async () => {
    const { engine } = open()
    for (const title of ['b', 'c', 'd']) await engine.write(post(title))
    expect(await Promise.all([undo(engine), undo(engine), redo(engine), undo(engine)])).toEqual([
      [START + 3],
      [START + 2],
      [START + 2],
      [START + 2],
    ])
    expect(await titles(engine)).toBe('a,b')
  })

  it('takes its turn among other changes, and undoes what is the newest by then', async () => {
    const { engine } = open()
    await engine.write(patch('b'))
    const [, first, , second] = await Promise.all([
      engine.write(post('c')),
      undo(engine),
      engine.write(post('d')),
      undo(engine, START + 1),
    ])
    expect([first, second]).toEqual([[START + 2], [START + 4]])
    expect(await titles(engine)).toBe('b')
  })
})

describe('what a history keeps', () => {
  it('are the last 1,000 changes, undone or not', async () => {
    const { engine } = open()
    for (let count = 0; count < 1003; count += 1) await engine.write(patch(String(count)))
    expect(versionsOf(engine)).toHaveLength(1000)
    expect(engine.history.since(START + 2)).toBeUndefined()
    expect(engine.history.since(START + 3)).toHaveLength(1000)
    await expect(undo(engine, START + 2)).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    for (let count = 0; count < 1000; count += 1) await undo(engine)
    expect(await titles(engine)).toBe('2')
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await redo(engine, START + 1003)).toHaveLength(1000)
    expect(await titles(engine)).toBe('1002')
  })

  it.each<[string, () => unknown]>([
    ['letters', () => 'x'.repeat(MB)],
    ['letters of three bytes', () => '語'.repeat(MB / 3)],
    ['many values', () => Array.from({ length: MB / 64 }, () => 'x'.repeat(61))],
  ])('are 16 MB at most, in rows of 1 MB of %s', async (_, make) => {
    const { engine } = open()
    for (let count = 0; count < 20; count += 1) await engine.write(post(make()))
    expect(versionsOf(engine)).toHaveLength(15)
    expect(engine.history.bytes).toBeGreaterThan(15 * MB)
    expect(engine.history.bytes).toBeLessThanOrEqual(16 * MB)
    expect(await undo(engine, START + 5)).toHaveLength(15)
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  const REMOVE: RowChange = { kind: 'remove', collection: 'files', id: '1' }
  const file = (body: unknown) => ({ files: [{ id: 1, body }], posts: [] })
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: at, title: 'x'.repeat(1000) }))

  it.each<[string, () => Record<string, unknown>, RowChange]>([
    ['one huge row', () => file('x'.repeat(17 * MB)), REMOVE],
    [
      'many values in a row',
      () => file(Array.from({ length: (17 * MB) / 64 }, () => 'x'.repeat(61))),
      REMOVE,
    ],
    [
      'many small ones',
      () => ({ posts: rows(20_000) }),
      { kind: 'merge-where', collection: 'posts', where: { where: [] }, fields: { a: 1 } },
    ],
  ])('is nothing where %s take more than that alone', async (_, data, change) => {
    const { engine } = open(data())
    await engine.write(post('b'))
    await engine.write(change)
    expect(engine.history.bytes).toBe(0)
    await expect(undo(engine)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(engine.history.since(START + 2)).toEqual([])
    await engine.write(post('c'))
    expect(await undo(engine)).toEqual([START + 3])
  })

  it('counts what was undone and cannot come back no longer', async () => {
    const { engine } = open()
    for (let count = 0; count < 12; count += 1) {
      await engine.write(post('x'.repeat(5 * MB)))
      await undo(engine)
    }
    await engine.write(post('b'))
    expect(await undo(engine)).toHaveLength(1)
  })
})

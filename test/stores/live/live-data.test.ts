import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data, ListQuery, Row } from '../../../src/core/engine/types.ts'
import { deepCopy } from '../../../src/core/kernel/json/values.ts'
import { writeOut } from '../../../src/stores/file/snapshots.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { openOnDesk } from '../../support/engine/desk.ts'
import { runs } from '../../support/length.ts'
import { plainSelect } from '../../support/model/plain-select.ts'
import { change, parts } from '../../support/model/random-changes.ts'
import { fields, query, table } from '../../support/model/random-table.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: at + 1, title: `t${at}`, tags: ['a', 'b'], meta: { size: at, unit: 'cm' } },
  }))

const timeOf = async (work: () => unknown) => {
  const start = cpuTime()
  await work()
  return cpuTime() - start
}

it('is compared in less time than a copy takes, and copied by no session', async () => {
  const data = { posts: rowsOf(50_000) }
  const engine = openLive({ data }, naming)
  const ratios: number[] = []
  for (let run = 0; run < 8; run++) {
    const opened = await timeOf(async () => {
      await engine.catchUp()
      expect(engine.fork(run).database).toBe(engine.database)
    })
    ratios.push(opened / (await timeOf(() => deepCopy(data.posts))))
  }
  expect(Math.min(...ratios)).toBeLessThan(1)
})

describe('an object that somebody else holds', () => {
  it('stays the same, and so do its arrays', async () => {
    const data = { posts: [{ id: 1 }] }
    const engine = openLive({ data }, naming)
    const { posts } = data
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
    expect(data.posts).toBe(posts)
    expect(posts).toEqual([{ id: 2 }])
  })

  it('stays the same when its file was edited, and when everything is put back', async () => {
    const { engine, desk } = openOnDesk({ posts: [{ id: 1 }] })
    const { data } = liveDataOf(engine)
    desk.edit({ posts: [{ id: 7 }], news: [] })
    await engine.refresh()
    expect(data).toEqual({ posts: [{ id: 7 }], news: [] })
    await engine.write({ kind: 'replace-database', data: { others: [] } })
    expect(liveDataOf(engine).data).toBe(data)
    expect(data).toEqual({ others: [] })
  })

  it.each([
    ['pushed', (posts: Row[]) => posts.push({ id: 9 })],
    ['put in place of another', (posts: Row[]) => posts.splice(0, 1, { id: 9 })],
    ['moved to the front', (posts: Row[]) => posts.unshift({ id: 9 })],
    ['given another id', (posts: Row[]) => Object.assign(posts[1] ?? {}, { id: 9 })],
  ])('has a row that its owner %s', async (_, change) => {
    const data = { posts: [{ id: 1 }, { id: 2 }, { id: 3 }] }
    const engine = openLive({ data }, naming)
    const find = async () => (await engine.read({ kind: 'item', collection: 'posts', id: '9' })).found
    expect(await find()).toBeUndefined()
    change(data.posts)
    expect(await find()).toEqual({ id: 9 })
  })

  it('is found by no index that does not know what its owner did', async () => {
    const data = { items: Array.from({ length: 100 }, (_, at) => ({ id: at + 1, size: at % 3 })) }
    const engine = openLive({ data }, naming)
    const where = [{ path: 'size', op: 'eq', values: ['2'] } as const]
    const query: ListQuery = { where, sort: [], window: { kind: 'all' }, embed: [], expand: [] }
    const total = async () => (await engine.read({ kind: 'list', collection: 'items', query })).found?.total
    expect(await total()).toBe(33)
    data.items.push({ id: 101, size: 2 })
    expect(await total()).toBe(34)
    Object.assign(data.items[0] ?? {}, { size: 2 })
    expect(await total()).toBe(35)
  })

  it('is saved as it was when that was asked for, whatever its owner does meanwhile', async () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, name: `row ${at}` }))
    const engine = new Engine({ rows, profile: {} }, naming)
    const changeInPlace = () => {
      for (const row of liveDataOf(engine).data.rows as object[]) Object.assign(row, { name: 'changed' })
    }
    const written = async () => Buffer.concat(await writeOut(engine)).toString()
    for (const _ of ['when it is given out', 'later']) {
      const before = JSON.stringify((await engine.read({ kind: 'database' })).found, null, 2)
      const writing = written()
      changeInPlace()
      // To compare them by a matcher would take half a minute, should they differ.
      expect((await writing) === before).toBe(true)
    }
  })
})

/** What an owner does to an array of its own. */
const deed = fc.oneof(
  fields.map((row) => (rows: Row[]) => void rows.push({ id: 900 + rows.length, ...row })),
  fc.nat().map((at) => (rows: Row[]) => void rows.splice(at % Math.max(1, rows.length), 1)),
  fc.tuple(fc.nat(), fields).map(
    ([at, row]) =>
      (rows: Row[]) =>
        void rows.splice(at % Math.max(1, rows.length), 0, { id: 800 + at, ...row }),
  ),
  fc.tuple(fc.nat(), fields).map(([at, row]) => (rows: Row[]) => {
    const old: unknown = rows[at % Math.max(1, rows.length)]
    // JSON has no fields beside the entries of a list.
    if (!Array.isArray(old)) Object.assign(Object(old), row)
  }),
  fc.constant((rows: Row[]) => void rows.reverse()),
)

const step = fc.oneof(
  change.map((each) => ({ change: each })),
  deed.map((each) => ({ deed: each })),
)

describe('an object that its owner and the engine change in turn', () => {
  it('is what the engine reads, always', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { maxLength: 12 }), query, async (items, steps, asked) => {
        const data: Data = structuredClone({ items, parts, profile: { name: 'a' } })
        const engine = openLive({ data }, naming)
        for (const each of steps) {
          if ('deed' in each) each.deed(data.items as Row[])
          else await engine.write(each.change).catch(() => {})
          const { found } = await engine.read({ kind: 'list', collection: 'items', query: asked })
          const { items: expected, total } = await plainSelect(data.items as Row[], asked, naming.id)
          const rows = found?.rows ?? []
          expect('toArray' in rows ? rows.toArray() : rows).toEqual(expected)
          expect(found?.total).toBe(total)
          expect((await engine.read({ kind: 'database' })).found).toEqual(data)
        }
      }),
      { ...runs(10), endOnFailure: true },
    )
  })
})

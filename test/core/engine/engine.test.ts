import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/core/engine/change.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { ChangedOutside } from '../../../src/stores/file/file-store.ts'
import { writeOut } from '../../../src/stores/file/snapshots.ts'
import { type Desk, openOnDesk as open } from '../../support/engine/desk.ts'
import { runs } from '../../support/length.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

function dataOf(engine: Engine): Data {
  return engine.database.toData()
}

function postsOf(engine: Engine): readonly Row[] {
  return engine.database.table('posts')?.rows.items() ?? []
}

async function find(engine: Engine, id: unknown): Promise<Row | undefined> {
  return (await engine.read({ kind: 'item', collection: 'posts', id: String(id) })).found
}

describe('an engine', () => {
  it('shows a write only once the medium holds it', async () => {
    const { engine, desk } = open({ posts: [] })
    let openGate = () => {}
    desk.gate = new Promise((resolve) => {
      openGate = resolve
    })
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'a' }] })
    await new Promise(setImmediate)
    expect(postsOf(engine)).toEqual([])
    openGate()
    await written
    expect(postsOf(engine)).toEqual([{ title: 'a', id: 1 }])
    expect(JSON.parse(desk.saved)).toEqual(dataOf(engine))
  })

  it('hides and computes what the rules say that came during a save', async () => {
    const { engine, desk } = open({ posts: [{ id: 1, secret: 'a' }] })
    let openGate = () => {}
    desk.gate = new Promise((resolve) => {
      openGate = resolve
    })
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{ secret: 'b' }] })
    await new Promise(setImmediate)
    const posts = { hidden: ['secret'], computed: { twice: ({ id }: Row) => 2 * Number(id) } }
    const ruled = engine.useRules({ now: () => new Date(), resources: new Map([['posts', posts]]) })
    openGate()
    await Promise.all([written, ruled])
    const shown = [1, 2].map((id) => ({ id, twice: 2 * id }))
    expect(JSON.stringify(postsOf(engine))).toBe(JSON.stringify(shown))
    const effect = { kind: 'rows', name: 'posts', rows: [{ rank: 1, after: shown[1] }] }
    expect(JSON.stringify(engine.history.list(1)[0]?.effects)).toBe(JSON.stringify([effect]))
  })

  it('saves once what arrived during a save', async () => {
    const { engine, desk } = open({ posts: [] })
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        engine.write({ kind: 'insert', collection: 'posts', rows: [{ n }] }),
      ),
    )
    expect(postsOf(engine)).toHaveLength(100)
    expect(new Set(postsOf(engine).map(({ id }) => id)).size).toBe(100)
    expect(desk.saves).toBeLessThanOrEqual(2)
  })

  it('leaves nothing of a write that could not be saved, tells no path, and goes on', async () => {
    const { engine, desk } = open({ posts: [{ id: 1 }], profile: { name: 'a' } })
    desk.refuses = true
    const failures = await Promise.allSettled([
      engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 2 }] }),
      engine.write({ kind: 'replace', collection: 'posts', id: '1', fields: { changed: true } }),
      engine.write({ kind: 'remove', collection: 'posts', id: '1' }),
      engine.write({ kind: 'replace-object', name: 'profile', fields: {} }),
      engine.write({ kind: 'replace-database', data: { posts: [] } }),
    ])
    for (const failure of failures) {
      const reason = failure.status === 'rejected' ? failure.reason : undefined
      expect(reason).toBeInstanceOf(StorageError)
      expect(reason).toMatchObject({ code: 'WRITE_FAILED', message: expect.stringContaining('ENOSPC') })
      expect(reason.message).not.toContain('/secret')
    }
    expect(dataOf(engine)).toEqual({ posts: [{ id: 1 }], profile: { name: 'a' } })

    desk.refuses = false
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(postsOf(engine)).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('refuses one write of a batch without touching the others', async () => {
    const { engine } = open({ posts: [{ id: 1 }] })
    const [taken, fine] = await Promise.allSettled([
      engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: 1 }] }),
      engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 2 }] }),
    ])
    expect(taken).toMatchObject({ status: 'rejected', reason: { code: 'DUPLICATE_ID' } })
    expect(fine.status).toBe('fulfilled')
    expect(postsOf(engine)).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('saves nothing when a write changes nothing', async () => {
    const { engine, desk } = open({ posts: [{ id: 1 }] })
    await expect(
      engine.write({ kind: 'merge', collection: 'posts', id: '9', fields: {} }),
    ).resolves.toBeUndefined()
    await expect(engine.write({ kind: 'remove', collection: 'posts', id: '9' })).resolves.toBeUndefined()
    expect(desk.saves).toBe(0)
  })

  it('takes over what somebody else wrote, and writes on top of it', async () => {
    const { engine, desk } = open({ posts: [{ id: 1 }] })
    desk.saved = JSON.stringify({ posts: [{ id: 1 }, { id: 7 }], notes: [] })
    desk.isForeign = true
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(dataOf(engine)).toEqual({ posts: [{ id: 1 }, { id: 7 }, { id: 8 }], notes: [] })
    expect(JSON.parse(desk.saved)).toEqual(dataOf(engine))
  })

  describe('saved while somebody else writes', () => {
    /** Lets somebody else write right before each of the next saves. */
    const interrupt = (desk: Desk, ...edits: readonly Data[]) => {
      const write = desk.write.bind(desk)
      const left = [...edits]
      desk.write = async (data) => {
        const edit = left.shift()
        if (edit === undefined) return write(data)
        desk.saved = JSON.stringify(edit)
        desk.isForeign = true
        throw new ChangedOutside()
      }
    }

    it('makes the whole batch anew on what is there now, with what that makes of each write', async () => {
      const { engine, desk } = open({ posts: [{ id: 1 }, { id: 2 }] })
      interrupt(desk, { posts: [{ id: 1 }, { id: 2 }] }, { posts: [{ id: 2, by: 'them' }, { id: 7 }] })
      const answers = await Promise.allSettled([
        engine.write({ kind: 'merge', collection: 'posts', id: '2', fields: { mine: true } }),
        engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { mine: true } }),
        engine.write({ kind: 'insert', collection: 'posts', rows: [{}] }),
        // Taken by the one above, until that gets another.
        engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 3 }] }),
        engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 7 }] }),
      ])
      expect(answers).toMatchObject([
        { value: { id: 2, by: 'them', mine: true } },
        { value: undefined },
        { value: [{ id: 8 }] },
        { value: [{ id: 3 }] },
        { reason: { code: 'DUPLICATE_ID' } },
      ])
      expect(postsOf(engine)).toEqual([{ id: 2, by: 'them', mine: true }, { id: 7 }, { id: 8 }, { id: 3 }])
      expect(JSON.parse(desk.saved)).toEqual(dataOf(engine))
      expect(desk.saves).toBe(1)
    })

    it('gives up when that does not end, with nothing lost of what they wrote', async () => {
      const { engine, desk } = open({ posts: [] })
      const edits = Array.from({ length: 100 }, (_, n) => ({ posts: [{ id: n + 1 }] }))
      interrupt(desk, ...edits)
      const failure = await engine
        .write({ kind: 'insert', collection: 'posts', rows: [{}] })
        .catch((error) => error)
      expect(failure).toMatchObject({
        code: 'WRITE_FAILED',
        message: expect.stringContaining('keeps being changed'),
      })
      expect(edits).toContainEqual(JSON.parse(desk.saved))
      expect(desk.saves).toBe(0)
    })
  })

  it('is written out as it was when that was asked for, though a row is added meanwhile', async () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, name: `row ${at}` }))
    const { engine } = open({ rows, profile: {} })
    const add = () => engine.write({ kind: 'insert', collection: 'rows', rows: [{}] })
    // The next save has only to add a row, and is quicker than this.
    await add()
    const before = JSON.stringify(dataOf(engine), null, 2)
    const order: string[] = []
    const writing = writeOut(engine).finally(() => order.push('written out'))
    await add().then(() => order.push('added'))
    // To compare them by a matcher would take half a minute, should they differ.
    expect(Buffer.concat(await writing).toString() === before).toBe(true)
    expect(order).toEqual(['added', 'written out'])
  })

  it('reads what there was when the read began, though others write meanwhile', async () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, group: at % 50 }))
    const { engine } = open({ posts: rows })
    const where = [{ path: 'group', op: 'eq', values: ['7'] } as const]
    const query = { where, sort: [], window: { kind: 'all' }, embed: [], expand: [] } as const
    const reading = engine.read({ kind: 'list', collection: 'posts', query })
    await engine.write({ kind: 'remove', collection: 'posts', id: '8' })
    const { found, isCurrent } = await reading
    expect([found?.total, isCurrent()]).toEqual([1000, false])
  })

  it('calls every listener, also where one of them throws', async () => {
    const engine = new Engine({ posts: [] }, naming)
    const thrown: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').once('uncaughtException', (error) => thrown.push(error))
    let heard = 0
    engine.subscribe(() => {
      throw new Error('in a listener')
    })
    engine.subscribe(() => heard++)
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    await new Promise(setImmediate)
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
    expect(heard).toBe(1)
    expect(thrown).toMatchObject([{ message: 'in a listener' }])
  })
})

describe('a row of 10 MB', () => {
  const half = 'x'.repeat(6_000_000)
  const merge = (id: string, fields: Row) => ({ kind: 'merge', collection: 'posts', id, fields }) as const
  const all = { kind: 'merge-where', collection: 'posts', where: { where: [] } } as const
  const profile = { kind: 'merge-object', name: 'profile' } as const

  it.each<[string, RowChange]>([
    ['a row', merge('1', { b: half })],
    ['rows', { ...all, where: { where: [{ path: 'id', op: 'eq', values: ['1'] }] }, fields: { b: half } }],
    ['an object', { ...profile, fields: { b: half } }],
  ])('is the largest that a change of %s makes', async (_, change) => {
    const data = { posts: [{ id: 1, a: half }, { id: 2 }], profile: { a: half } }
    const engine = new Engine(data, naming)
    await expect(engine.write(change)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    // To compare them by a matcher would take long, should they differ.
    expect(JSON.stringify(dataOf(engine)) === JSON.stringify(data)).toBe(true)
  })

  it('can shrink, and be changed though the file has a larger one', async () => {
    const engine = new Engine({ posts: [{ id: 1, a: half, b: half }] }, naming)
    await engine.write(merge('1', { c: 1 }))
    await engine.write(merge('1', { b: '' }))
    await expect(engine.write(merge('1', { b: half }))).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    expect(Object.keys((await find(engine, 1)) ?? {})).toEqual(['id', 'a', 'b', 'c'])
  })
})

describe('ids', () => {
  it.each([
    ['an empty collection', [], 1],
    ['numbers', [{ id: 3 }, { id: 10 }, { id: 2 }], 11],
    ['rows without id', [{ name: 'a' }], 1],
    ['a null id among numbers', [{ id: null }, { id: 4 }], 5],
    ['texts', [{ id: 'a' }], expect.stringMatching(/^[\w-]{7}$/)],
    ['a number that cannot grow', [{ id: 2 ** 53 }], expect.stringMatching(/^[\w-]{7}$/)],
  ])('after %s', async (_, posts, id) => {
    const engine = new Engine({ posts }, naming)
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await written).toEqual([{ id }])
  })

  it.each([0, '', null, false, undefined])('a falsy one (%j) counts as none given', async (id) => {
    const engine = new Engine({ posts: [{ id: 1 }] }, naming)
    await expect(engine.write({ kind: 'insert', collection: 'posts', rows: [{ id }] })).resolves.toEqual([
      { id: 2 },
    ])
  })

  it('the first of two rows with one id counts, and the second once that is gone', async () => {
    const { engine } = open({
      posts: [
        { id: 1, n: 1 },
        { id: '1', n: 2 },
      ],
    })
    expect(await find(engine, '1')).toEqual({ id: 1, n: 1 })
    await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
    expect(await find(engine, '1')).toEqual({ id: '1', n: 2 })
  })
})

const id = fc.integer({ min: 1, max: 12 }).map(String)
const fields = fc.record({ a: fc.integer(), b: fc.string() }, { requiredKeys: [] })
const step = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), fields }),
  fc.record({ kind: fc.constant('replace' as const), id, fields }),
  fc.record({ kind: fc.constant('merge' as const), id, fields }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('place' as const), fields, place: fc.nat({ max: 320 }) }),
)
const batch = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), refuses: fc.boolean() })

describe('a row that comes to a certain place', () => {
  const rows = (...ids: readonly number[]): Row[] => ids.map((id) => ({ id }))

  it.each([
    ['the beginning', 0, [9, 1, 2, 3]],
    ['the middle', 1, [1, 9, 2, 3]],
    ['the end', 3, [1, 2, 3, 9]],
    ['far beyond the end', 1e6, [1, 2, 3, 9]],
  ])('stands at %s, in the file too, and ids and queries find it', async (_, place, expected) => {
    const { engine, desk } = open({ posts: rows(1, 2, 3), tags: [] })
    // What is known of the rows must not be believed afterwards.
    expect(await find(engine, 3)).toEqual({ id: 3 })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{ id: 9 }], place })
    expect(postsOf(engine)).toEqual(rows(...expected))
    expect(desk.saved).toBe(JSON.stringify(dataOf(engine), null, 2))
    for (const id of expected) expect(await find(engine, id)).toEqual({ id })
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(postsOf(engine).at(-1)).toEqual({ id: 10 })
  })

  it('is told by those who remove it', async () => {
    const { engine } = open({ posts: rows(1, 2, 3), tags: [] })
    const remove = async (id: string) =>
      (await engine.write({ kind: 'remove', collection: 'posts', id }))?.place
    expect(await Promise.all([remove('2'), remove('3'), remove('1')])).toEqual([1, 1, 0])
  })
})

describe('any sequence of writes', () => {
  it('leaves what the same writes on a plain array leave, and lookups by id agree with a scan', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 12 }), fc.nat({ max: 300 }), async (batches, size) => {
        let model: Row[] = Array.from({ length: size }, (_, index) => ({ id: index + 1 }))
        const { engine, desk } = open({ posts: model, tags: [{ id: 'a' }] })
        for (const { steps, refuses } of batches) {
          desk.refuses = refuses
          await Promise.allSettled(steps.map((one) => engine.write(changeOf(one))))
          if (!refuses) model = steps.reduce(onPlainArray, model)
          expect(postsOf(engine)).toEqual(model)
          expect(desk.saved).toBe(JSON.stringify(dataOf(engine), null, 2))
          for (let n = 0; n < 14; n++) {
            expect(await find(engine, n)).toEqual(model.find((row) => row.id === n))
          }
        }
      }),
      runs(50),
    )
  })
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function changeOf(one: Step): RowChange {
  const collection = 'posts'
  switch (one.kind) {
    case 'insert':
      return { kind: 'insert', collection, rows: [one.fields] }
    case 'place':
      return { kind: 'insert', collection, rows: [one.fields], place: one.place }
    case 'remove':
      return { kind: 'remove', collection, id: one.id }
    case 'merge':
    case 'replace':
      return { kind: one.kind, collection, id: one.id, fields: one.fields }
  }
}

function onPlainArray(rows: readonly Row[], one: Step): Row[] {
  if (one.kind === 'insert' || one.kind === 'place') {
    const highest = Math.max(0, ...rows.map((row) => Number(row.id)))
    const row = { ...one.fields, id: highest + 1 }
    return one.kind === 'insert' ? [...rows, row] : rows.toSpliced(one.place, 0, row)
  }
  if (one.kind === 'remove') return rows.filter((row) => String(row.id) !== one.id)
  return rows.map((row) => {
    if (String(row.id) !== one.id) return row
    return one.kind === 'merge' ? { ...row, ...one.fields } : { ...one.fields, id: row.id }
  })
}

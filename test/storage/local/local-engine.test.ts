import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../../src/errors.ts'
import type { RowChange } from '../../../src/storage/change.ts'
import { ChangedOutside } from '../../../src/storage/file/changed-outside.ts'
import { writeOut } from '../../../src/storage/json/write-out.ts'
import type { Data, Row } from '../../../src/storage/types.ts'
import { Desk } from '../../support/engine/desk.ts'
import { LocalStore } from '../../support/engine/local-store.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

function open(data: Data): { store: LocalStore; desk: Desk } {
  const desk = new Desk(data)
  return { desk, store: new LocalStore(structuredClone(data), { ...naming, medium: desk, isOwned: true }) }
}

function postsOf(store: LocalStore): readonly Row[] {
  return store.rows('posts') ?? []
}

describe('a store', () => {
  it('shows a write only once the medium holds it', async () => {
    const { store, desk } = open({ posts: [] })
    let openGate = () => {}
    desk.gate = new Promise((resolve) => {
      openGate = resolve
    })
    const written = store.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'a' }] })
    await new Promise(setImmediate)
    expect(postsOf(store)).toEqual([])
    openGate()
    await written
    expect(postsOf(store)).toEqual([{ title: 'a', id: 1 }])
    expect(JSON.parse(desk.saved)).toEqual(store.data)
  })

  it('saves once what arrived during a save', async () => {
    const { store, desk } = open({ posts: [] })
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        store.write({ kind: 'insert', collection: 'posts', rows: [{ n }] }),
      ),
    )
    expect(postsOf(store)).toHaveLength(100)
    expect(new Set(postsOf(store).map(({ id }) => id)).size).toBe(100)
    expect(desk.saves).toBeLessThanOrEqual(2)
  })

  it('leaves nothing of a write that could not be saved, tells no path, and goes on', async () => {
    const { store, desk } = open({ posts: [{ id: 1 }], profile: { name: 'a' } })
    desk.refuses = true
    const failures = await Promise.allSettled([
      store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 2 }] }),
      store.write({ kind: 'replace', collection: 'posts', id: '1', fields: { changed: true } }),
      store.write({ kind: 'remove', collection: 'posts', id: '1' }),
      store.write({ kind: 'replace-object', name: 'profile', fields: {} }),
      store.write({ kind: 'replace-database', data: { posts: [] } }),
    ])
    for (const failure of failures) {
      const reason = failure.status === 'rejected' ? failure.reason : undefined
      expect(reason).toBeInstanceOf(StorageError)
      expect(reason).toMatchObject({ code: 'WRITE_FAILED', message: expect.stringContaining('ENOSPC') })
      expect(reason.message).not.toContain('/secret')
    }
    expect(store.data).toEqual({ posts: [{ id: 1 }], profile: { name: 'a' } })

    desk.refuses = false
    await store.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(postsOf(store)).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('refuses one write of a batch without touching the others', async () => {
    const { store } = open({ posts: [{ id: 1 }] })
    const [taken, fine] = await Promise.allSettled([
      store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 5 }, { id: 1 }] }),
      store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 2 }] }),
    ])
    expect(taken).toMatchObject({ status: 'rejected', reason: { code: 'DUPLICATE_ID' } })
    expect(fine.status).toBe('fulfilled')
    expect(postsOf(store)).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('saves nothing when a write changes nothing', async () => {
    const { store, desk } = open({ posts: [{ id: 1 }] })
    await expect(
      store.write({ kind: 'merge', collection: 'posts', id: '9', fields: {} }),
    ).resolves.toBeUndefined()
    await expect(store.write({ kind: 'remove', collection: 'posts', id: '9' })).resolves.toBeUndefined()
    expect(desk.saves).toBe(0)
  })

  it('takes over what somebody else wrote, and writes on top of it', async () => {
    const { store, desk } = open({ posts: [{ id: 1 }] })
    desk.saved = JSON.stringify({ posts: [{ id: 1 }, { id: 7 }], notes: [] })
    desk.isForeign = true
    await store.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(store.data).toEqual({ posts: [{ id: 1 }, { id: 7 }, { id: 8 }], notes: [] })
    expect(JSON.parse(desk.saved)).toEqual(store.data)
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
      const { store, desk } = open({ posts: [{ id: 1 }, { id: 2 }] })
      interrupt(desk, { posts: [{ id: 1 }, { id: 2 }] }, { posts: [{ id: 2, by: 'them' }, { id: 7 }] })
      const answers = await Promise.allSettled([
        store.write({ kind: 'merge', collection: 'posts', id: '2', fields: { mine: true } }),
        store.write({ kind: 'merge', collection: 'posts', id: '1', fields: { mine: true } }),
        store.write({ kind: 'insert', collection: 'posts', rows: [{}] }),
        // Taken by the one above, until that gets another.
        store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 3 }] }),
        store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 7 }] }),
      ])
      expect(answers).toMatchObject([
        { value: { id: 2, by: 'them', mine: true } },
        { value: undefined },
        { value: [{ id: 8 }] },
        { value: [{ id: 3 }] },
        { reason: { code: 'DUPLICATE_ID' } },
      ])
      expect(postsOf(store)).toEqual([{ id: 2, by: 'them', mine: true }, { id: 7 }, { id: 8 }, { id: 3 }])
      expect(JSON.parse(desk.saved)).toEqual(store.data)
      expect(desk.saves).toBe(1)
    })

    it('gives up when that does not end, with nothing lost of what they wrote', async () => {
      const { store, desk } = open({ posts: [] })
      const edits = Array.from({ length: 100 }, (_, n) => ({ posts: [{ id: n + 1 }] }))
      interrupt(desk, ...edits)
      const failure = await store
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

  it('keeps the object and the arrays that others hold', async () => {
    const data = { posts: [{ id: 1 }] }
    const store = new LocalStore(data, naming)
    const { posts } = data
    await store.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    await store.write({ kind: 'remove', collection: 'posts', id: '1' })
    expect(data.posts).toBe(posts)
    expect(posts).toEqual([{ id: 2 }])
  })

  it.each([
    ['pushed', (posts: Row[]) => posts.push({ id: 9 })],
    ['put in place of another', (posts: Row[]) => posts.splice(0, 1, { id: 9 })],
    ['moved to the front', (posts: Row[]) => posts.unshift({ id: 9 })],
    ['given another id', (posts: Row[]) => Object.assign(posts[1] ?? {}, { id: 9 })],
  ])('finds a row that the owner of the data %s', (_, change) => {
    const data = { posts: [{ id: 1 }, { id: 2 }, { id: 3 }] }
    const store = new LocalStore(data, naming)
    expect(store.find('posts', 9)).toBeUndefined()
    change(data.posts)
    expect(store.find('posts', 9)).toEqual({ id: 9 })
  })

  describe('written out', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, name: `row ${at}` }))
    const add = (store: LocalStore) => store.write({ kind: 'insert', collection: 'rows', rows: [{}] })
    const changeInPlace = (store: LocalStore) => {
      for (const row of store.live.share().rows as object[]) Object.assign(row, { name: 'changed in place' })
    }
    const now = (store: LocalStore) => JSON.stringify(store.data, null, 2)
    const written = async (pieces: Promise<readonly Uint8Array[]>) => Buffer.concat(await pieces).toString()

    it('is what it was when that was asked for, though a row is added meanwhile', async () => {
      const { store } = open({ rows, profile: {} })
      // The next save has only to add a row, and is quicker than this.
      await add(store)
      const before = now(store)
      const order: string[] = []
      const writing = writeOut(store).finally(() => order.push('written out'))
      await add(store).then(() => order.push('added'))
      // To compare them by a matcher would take half a minute, should they differ.
      expect((await written(writing)) === before).toBe(true)
      expect(order).toEqual(['added', 'written out'])
    })

    it('is what it was when that was asked for, where others hold it too', async () => {
      const { store } = open({ rows, profile: {} })
      store.live.share()
      const before = now(store)
      const writing = writeOut(store)
      changeInPlace(store)
      expect((await written(writing)) === before).toBe(true)
    })

    it('is of one moment, though others get hold of it meanwhile', async () => {
      const { store } = open({ rows, profile: {} })
      const writing = writeOut(store)
      changeInPlace(store)
      expect((await written(writing)) === now(store)).toBe(true)
    })
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
    const store = new LocalStore({ posts }, naming)
    const written = store.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await written).toEqual([{ id }])
  })

  it.each([0, '', null, false, undefined])('a falsy one (%j) counts as none given', async (id) => {
    const store = new LocalStore({ posts: [{ id: 1 }] }, naming)
    await expect(store.write({ kind: 'insert', collection: 'posts', rows: [{ id }] })).resolves.toEqual([
      { id: 2 },
    ])
  })

  it('the first of two rows with one id counts, and the second once that is gone', async () => {
    const { store } = open({
      posts: [
        { id: 1, n: 1 },
        { id: '1', n: 2 },
      ],
    })
    expect(store.find('posts', '1')).toEqual({ id: 1, n: 1 })
    await store.write({ kind: 'remove', collection: 'posts', id: '1' })
    expect(store.find('posts', '1')).toEqual({ id: '1', n: 2 })
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
    const { store, desk } = open({ posts: rows(1, 2, 3), tags: [] })
    // What is known of the rows must not be believed afterwards.
    expect(store.find('posts', 3)).toEqual({ id: 3 })
    await store.write({ kind: 'insert', collection: 'posts', rows: [{ id: 9 }], place })
    expect(postsOf(store)).toEqual(rows(...expected))
    expect(desk.saved).toBe(JSON.stringify(store.data, null, 2))
    for (const id of expected) expect(store.find('posts', id)).toEqual({ id })
    await store.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(postsOf(store).at(-1)).toEqual({ id: 10 })
  })

  it('is told by those who remove it', async () => {
    const { store } = open({ posts: rows(1, 2, 3), tags: [] })
    const remove = async (id: string) =>
      (await store.write({ kind: 'remove', collection: 'posts', id }))?.place
    expect(await Promise.all([remove('2'), remove('3'), remove('1')])).toEqual([1, 1, 0])
  })
})

describe('any sequence of writes', () => {
  it('leaves what the same writes on a plain array leave, and lookups by id agree with a scan', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 12 }), fc.nat({ max: 300 }), async (batches, size) => {
        let model: Row[] = Array.from({ length: size }, (_, index) => ({ id: index + 1 }))
        const { store, desk } = open({ posts: model, tags: [{ id: 'a' }] })
        for (const { steps, refuses } of batches) {
          desk.refuses = refuses
          await Promise.allSettled(steps.map((one) => store.write(changeOf(one))))
          if (!refuses) model = steps.reduce(onPlainArray, model)
          expect(postsOf(store)).toEqual(model)
          expect(desk.saved).toBe(JSON.stringify(store.data, null, 2))
          for (let n = 0; n < 14; n++) {
            expect(store.find('posts', n)).toEqual(model.find((row) => row.id === n))
          }
        }
      }),
      { numRuns: 150 },
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

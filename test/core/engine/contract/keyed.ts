import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

const MANY = Array.from({ length: 3000 }, (_, at) => ({ id: at + 1, email: `User${at + 1}@example.com` }))

/** A few rows, and so many that there is an index. */
const SIZES: [string, readonly object[]][] = [
  ['a few', MANY.slice(0, 3)],
  ['many', MANY],
]

/** Rows by a text of theirs whatever its case, and collections that come to be. */
export function describeKeyed({ open, stateOf }: EngineUnderTest): void {
  describe('asked for a text whatever its case', () => {
    const idOf = async (engine: Engine, text: string) => {
      const { found } = await engine.read({ kind: 'keyed', collection: 'users', field: 'email', text })
      return found?.id
    }

    it.each(SIZES)('finds it among %s rows, as they come and go', async (_, users) => {
      const engine = await open({ users })
      expect(await idOf(engine, 'USER3@Example.com')).toBe(3)
      expect(await idOf(engine, 'user3')).toBeUndefined()
      await engine.write({ kind: 'merge', collection: 'users', id: '3', fields: { email: 'X' } })
      expect(await idOf(engine, 'user3@example.com')).toBeUndefined()
      expect(await idOf(engine, 'x')).toBe(3)
      await engine.write({ kind: 'insert', collection: 'users', rows: [{ id: 9000, email: 'x' }] })
      expect([await idOf(engine, 'X'), await idOf(engine, 'x')]).toEqual([3, 9000])
      await engine.write({ kind: 'remove', collection: 'users', id: '3' })
      expect(await idOf(engine, 'X')).toBe(9000)
    })

    it('takes the first of several, if none has exactly that text', async () => {
      const users = [...MANY, { id: 'a', email: 'SAME' }, { id: 'b', email: 'Same' }]
      const engine = await open({ users })
      expect(await idOf(engine, 'same')).toBe('a')
      expect(await idOf(engine, 'Same')).toBe('b')
    })

    it('finds nothing where there is no such collection, and no text in rows that have none', async () => {
      const engine = await open({ users: [{ id: 1 }, { id: 2, email: null }, 7] })
      expect(await idOf(engine, 'null')).toBeUndefined()
      expect(await idOf(engine, '')).toBeUndefined()
      const { found } = await engine.read({ kind: 'keyed', collection: 'x', field: 'email', text: 'a' })
      expect(found).toBeUndefined()
    })
  })

  describe('asked to create a collection', () => {
    it('has an empty one, once, which rows go into; nobody is told before the first', async () => {
      const engine = await open()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      const create = () => engine.write({ kind: 'create-collection', name: 'users' })
      await create().then(() => expect(engine.kindOf('users')).toBe('collection'))
      expect(await stateOf(engine)).toEqual({ ...DATA, users: [] })
      await engine.write({ kind: 'insert', collection: 'users', rows: [{ a: 1 }] })
      await Promise.all([create(), create()])
      expect(await stateOf(engine)).toEqual({ ...DATA, users: [{ a: 1, id: 1 }] })
      expect(commits.map(({ names }) => names)).toEqual([['users']])
    })

    it('leaves what has that name alone, and a dry run leaves nothing', async () => {
      const engine = await open()
      await engine.write({ kind: 'create-collection', name: 'posts' })
      await engine.write({ kind: 'create-collection', name: 'profile' })
      await engine.write({ kind: 'create-collection', name: 'users' }, { dryRun: true })
      expect(await stateOf(engine)).toEqual(DATA)
    })
  })
}

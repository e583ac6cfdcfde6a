import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import type { ResourceRules } from '../../../../src/core/engine/resource-rules.ts'
import type { Row } from '../../../../src/core/engine/types.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

describe.each([
  ['few rows', 0],
  ['many rows', 200],
])('among %s,', (_, more) => {
  function open(rules: ResourceRules, rows: readonly Row[]) {
    const others = times(more, (n) => ({ id: `other ${n}` }))
    const data = { users: [...rows, ...others], teams: [{ id: 1 }, { id: 2 }, { id: 3 }] }
    const engine = new Engine(data, naming)
    void engine.useRules({ now: () => new Date(0), resources: new Map([['users', rules]]) })
    const user = (id: string) => new Draft(engine.database, naming).find('users', id)
    const insert = (row: Row) => engine.write({ kind: 'insert', collection: 'users', rows: [row] })
    return { engine, user, insert }
  }

  describe('what is unique', () => {
    const place = { lat: 1, at: { x: 1, y: [{ a: 1, b: 2 }] } }

    it.each<[string, unknown, boolean]>([
      ['the same object', structuredClone(place), true],
      ['the same with its fields in another order', { at: { y: [{ b: 2, a: 1 }], x: 1 }, lat: 1 }, true],
      ['an object that differs deep inside', { lat: 1, at: { x: 1, y: [{ a: 1, b: 3 }] } }, false],
      ['an empty object', {}, false],
      ['a list of that object', [place], false],
    ])('may be an object: %s', async (_name, other, isTaken) => {
      const { insert } = open({ unique: [['place']] }, [{ id: 1, place }])
      const written = insert({ place: other })
      if (isTaken) await expect(written).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
      else expect(await written).toHaveLength(1)
    })

    it('may be a long object, or lists of objects', async () => {
      const long = times(5000, (n) => ({ n }))
      const { insert } = open({ unique: [['place']] }, [{ id: 1, place: long }])
      await expect(insert({ place: structuredClone(long) })).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
      expect(await insert({ place: [...long.slice(0, -1), { n: -1 }] })).toHaveLength(1)
    })
  })

  describe('a reference', () => {
    it.each<[string, Row, (value: unknown) => Row]>([
      ['teamId', { teamId: 2 }, (value) => ({ teamId: value })],
      ['at.team', { at: { team: 2, x: 1 } }, (value) => ({ at: { team: value, x: 1 } })],
      ['a.b.c', { a: { b: { c: 2 } } }, (value) => ({ a: { b: { c: value } } })],
      ['at.team', { 'at.team': 2, at: { team: 9 } }, (value) => ({ 'at.team': value, at: { team: 9 } })],
      ['constructor', { constructor: 2 }, (value) => ({ constructor: value })],
    ])('may be called %s, in %j', async (field, row, left) => {
      const reference = (onDelete: 'cascade' | 'restrict' | 'null') =>
        open({ references: { [field]: { resource: 'teams', onDelete } } }, [{ id: 'u', ...row }])
      const remove = { kind: 'remove', collection: 'teams', id: '2' } as const

      const held = reference('restrict')
      await expect(held.engine.write(remove)).rejects.toMatchObject({ code: 'STILL_REFERENCED' })
      expect(await held.insert({})).toHaveLength(1)
      expect(await held.insert(left(null))).toHaveLength(1)
      expect(await held.insert(left('3'))).toHaveLength(1)
      const message = 'must be the id of one of teams: there is no 8'
      await expect(held.insert(left(8))).rejects.toMatchObject({ errors: { [field]: message } })

      const released = reference('null')
      await released.engine.write(remove)
      expect(await released.user('u')).toEqual({ id: 'u', ...left(null) })

      const gone = reference('cascade')
      await gone.engine.write(remove)
      expect(await gone.user('u')).toBeUndefined()
    })

    it('may be a list inside an object, which loses the entry', async () => {
      const rules = { references: { 'at.teams': { resource: 'teams', onDelete: 'null' as const } } }
      const { engine, user, insert } = open(rules, [{ id: 'u', at: { teams: [1, '2', 3] } }])
      await engine.write({ kind: 'remove', collection: 'teams', id: '2' })
      expect(await user('u')).toEqual({ id: 'u', at: { teams: [1, 3] } })
      const errors = { 'at.teams.1': 'must be the id of one of teams: there is no 2' }
      await expect(insert({ at: { teams: [1, 2] } })).rejects.toMatchObject({ errors })
    })
  })
})

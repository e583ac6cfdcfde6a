import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { RowChange, WriteOptions } from '../../../../src/core/engine/change.ts'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import { readRows } from '../../../../src/core/engine/read-rows.ts'
import type { RowSchema, Rules } from '../../../../src/core/engine/resource-rules.ts'
import { hiddenValue } from '../../../../src/core/engine/rules/served-fields.ts'
import type { Row } from '../../../../src/core/engine/types.ts'
import { Serializer } from '../../../../src/stores/formats/serialize.ts'
import type { EngineUnderTest } from './engine-under-test.ts'
import { NOW } from './rules-data.ts'

const USERS = {
  users: [
    { id: 1, email: 'ada@example.com', password: 'SECRET-1', name: 'Ada' },
    { password: 'SECRET-2', id: 2, email: 'Bob@example.com' },
    { id: 3, email: 'eve@example.com' },
  ],
  posts: [{ id: 1, password: 'not hidden here' }],
}

const SHOWN: readonly Row[] = [
  { id: 1, email: 'ada@example.com', name: 'Ada' },
  { id: 2, email: 'Bob@example.com' },
  { id: 3, email: 'eve@example.com' },
]

/** Needs a name of at least two letters, and a password of at most ten. */
const schema: RowSchema = {
  readTexts: (fields) => fields,
  keepReadOnly: (row) => row,
  fillIn: (row) => ({ password: 'default', ...row }),
  faultsOf: ({ password }) =>
    typeof password === 'string' && password.length <= 10
      ? []
      : [{ path: 'password', message: 'must be short' }],
}

function rulesWith(more: object = {}): Rules {
  const users = { hidden: ['password'], uniqueInAnyCase: ['email'], ...more }
  return { now: () => new Date(NOW), resources: new Map([['users', users]]) }
}

const SEALED: WriteOptions = { seals: [['plain', 'SECRET-NEW']] }
const patchOf = (...operations: object[]) => ({ format: 'json-patch', operations }) as never
const USER_1 = { collection: 'users', id: '1' } as const
const FIRST = {
  collection: 'users',
  where: { where: [{ path: 'id', op: 'eq', values: ['1'] }] },
} as const

/** Changes of user 1: what they resolve with, and what is stored of the password. */
const CHANGES: [string, RowChange, outcome: unknown, stored: unknown][] = [
  ['a replace without it', { ...USER_1, kind: 'replace', fields: { a: 1 } }, { a: 1, id: 1 }, 'SECRET-1'],
  [
    'a replace with it',
    { ...USER_1, kind: 'replace', fields: { a: 1, password: 'plain' } },
    { a: 1, id: 1 },
    'SECRET-NEW',
  ],
  ['a merge without it', { ...USER_1, kind: 'merge', fields: { name: 'A' } }, { name: 'A' }, 'SECRET-1'],
  ['a merge with it', { ...USER_1, kind: 'merge', fields: { password: 'plain' } }, SHOWN[0], 'SECRET-NEW'],
  [
    'a merge patch without it',
    { ...USER_1, kind: 'patch', patch: { format: 'merge-patch', fields: { name: null } } },
    { id: 1, email: 'ada@example.com' },
    'SECRET-1',
  ],
  [
    'a merge patch that removes it',
    { ...USER_1, kind: 'patch', patch: { format: 'merge-patch', fields: { password: null } } },
    SHOWN[0],
    'SECRET-1',
  ],
  [
    'a merge patch with it',
    { ...USER_1, kind: 'patch', patch: { format: 'merge-patch', fields: { password: 'plain' } } },
    SHOWN[0],
    'SECRET-NEW',
  ],
  [
    'a JSON Patch without it',
    { ...USER_1, kind: 'patch', patch: patchOf({ op: 'replace', path: '/name', value: 'A' }) },
    { name: 'A' },
    'SECRET-1',
  ],
  [
    'a JSON Patch with it',
    { ...USER_1, kind: 'patch', patch: patchOf({ op: 'add', path: '/password', value: 'plain' }) },
    SHOWN[0],
    'SECRET-NEW',
  ],
  [
    'a merge of what a filter finds',
    { ...FIRST, kind: 'merge-where', fields: { a: 1 } },
    [{ a: 1 }],
    'SECRET-1',
  ],
  [
    'such a merge with it',
    { ...FIRST, kind: 'merge-where', fields: { password: 'plain' } },
    [SHOWN[0]],
    'SECRET-NEW',
  ],
  [
    'part of a batch',
    { kind: 'batch', changes: [{ ...USER_1, kind: 'merge', fields: { password: 'plain' } }] },
    [SHOWN[0]],
    'SECRET-NEW',
  ],
]

/** Patches that would bring the field to light. */
const PEEKS: [string, object, code: string][] = [
  ['test', { op: 'test', path: '/password', value: 'SECRET-1' }, 'PATCH_TEST_FAILED'],
  ['copy', { op: 'copy', from: '/password', path: '/name' }, 'INVALID_PATCH'],
  ['move', { op: 'move', from: '/password', path: '/name' }, 'INVALID_PATCH'],
  ['remove', { op: 'remove', path: '/password' }, 'INVALID_PATCH'],
  ['replace', { op: 'replace', path: '/password', value: 'plain' }, 'INVALID_PATCH'],
  ['copy of another field into it', { op: 'copy', from: '/name', path: '/password' }, 'VALIDATION_FAILED'],
]

/** What answers show: no symbols. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Fields that are stored, and that no question finds. */
export function describeHidden({ open, opened, list }: EngineUnderTest): void {
  describe('with hidden fields', () => {
    async function openHiding(more?: object): Promise<Engine> {
      const engine = await open(USERS)
      await engine.useRules(rulesWith(more))
      return engine
    }

    /** The stored rows: as the file has them, or as they would be saved. */
    async function storedIn(engine: Engine): Promise<readonly Row[]> {
      const text = Buffer.concat(await new Serializer().serialize(engine.database)).toString()
      const kept = await opened()?.kept?.()
      if (kept !== undefined) expect(JSON.parse(kept)).toEqual(JSON.parse(text))
      return JSON.parse(text).users
    }

    async function shownIn(engine: Engine): Promise<string> {
      const database = await engine.read({ kind: 'database' })
      const rows = await readRows(engine, 'users')
      const item = await engine.read({ kind: 'item', ...USER_1 })
      const fields = await engine.read({ kind: 'fields', collection: 'users' })
      const users = [database.found.users, rows, item.found, fields.found]
      return JSON.stringify(users) + inspect(users, { depth: 9, showHidden: true })
    }

    it('shows them in no reading, and keeps them where they stood', async () => {
      const engine = await openHiding()
      expect(plain(await readRows(engine, 'users'))).toEqual(SHOWN)
      expect(await shownIn(engine)).not.toMatch(/SECRET|password/)
      expect(JSON.stringify(await storedIn(engine))).toBe(JSON.stringify(USERS.users))
      expect(await readRows(engine, 'posts')).toEqual(USERS.posts)
    })

    it.each([
      ['a filter', { where: [{ path: 'password', op: 'eq', values: ['SECRET-1'] } as const] }, 3],
      ['a search', { search: 'SECRET-1' }, 0],
      ['a pattern', { where: [{ path: 'password', op: 'like', values: ['SECRET'] } as const] }, 0],
    ])('do not exist for %s', async (_, query, total) => {
      const engine = await openHiding()
      expect((await list(engine, 'users', query)).rows).toHaveLength(total)
    })

    it.each(CHANGES)('keeps or seals them in %s', async (_, change, outcome, stored) => {
      const engine = await openHiding()
      await engine.write(change, { ...SEALED, dryRun: true })
      expect(JSON.stringify(await storedIn(engine))).toBe(JSON.stringify(USERS.users))
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      const answer = await engine.write(change, SEALED)
      expect(answer).toMatchObject(outcome as object)
      expect(JSON.stringify([answer, commits])).not.toMatch(/SECRET|password|plain/)
      expect(await shownIn(engine)).not.toMatch(/SECRET|password|plain/)
      const [first, ...others] = await storedIn(engine)
      expect(first).toMatchObject({ password: stored })
      expect(others).toEqual(USERS.users.slice(1))
    })

    const OF_PASSWORDS = CHANGES.filter(([, , , stored]) => stored === 'SECRET-NEW')
    const fault = { path: 'current', message: 'is wrong' }

    it.each(OF_PASSWORDS)('changes them for who knows what they hide: %s', async (_, change) => {
      const engine = await openHiding()
      for (const known of [undefined, 'SECRET-2', 'plain']) {
        const unproven = engine.write(change, { ...SEALED, proof: { of: known, fault } })
        await expect(unproven).rejects.toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: { current: 'is wrong' },
        })
      }
      expect(await storedIn(engine)).toEqual(USERS.users)
      await engine.write(change, { ...SEALED, proof: { of: 'SECRET-1', fault } })
      expect((await storedIn(engine))[0]).toMatchObject({ password: 'SECRET-NEW' })
    })

    it('needs no proof for what a change does not name, and has none of a row that hides nothing', async () => {
      const engine = await openHiding()
      const proof = { of: undefined, fault }
      await engine.write({ ...USER_1, kind: 'merge', fields: { a: 1 } }, { ...SEALED, proof })
      const change = { kind: 'merge', collection: 'users', id: '3', fields: { password: 'plain' } } as const
      await expect(engine.write(change, { ...SEALED, proof })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      })
    })

    it('does not store what says something of the change itself', async () => {
      const engine = await openHiding({ unstored: ['why'] })
      const [fields, rows] = [{ why: 'x', a: 1 }, [{ why: 'x', a: 1 }]]
      await engine.write({ ...USER_1, kind: 'merge', fields })
      await engine.write({
        ...USER_1,
        kind: 'patch',
        patch: patchOf({ op: 'move', from: '/a', path: '/why' }),
      })
      await engine.write({ kind: 'insert', collection: 'users', rows })
      expect(await storedIn(engine)).toEqual([...USERS.users, { a: 1, id: 4 }])
    })

    it('inserts rows with them', async () => {
      const engine = await openHiding()
      const rows = [{ email: 'x', password: 'plain' }, { password: 'plain' }, { email: 'y' }]
      const inserted = await engine.write({ kind: 'insert', collection: 'users', rows }, SEALED)
      expect(plain(inserted)).toEqual([{ email: 'x', id: 4 }, { id: 5 }, { email: 'y', id: 6 }])
      expect((await storedIn(engine)).slice(3)).toEqual([
        { email: 'x', password: 'SECRET-NEW', id: 4 },
        { password: 'SECRET-NEW', id: 5 },
        { email: 'y', id: 6 },
      ])
    })

    it.each(PEEKS)('answers a patch with %s as if there were none', async (_, operation, code) => {
      const engine = await openHiding()
      const write = engine.write({ ...USER_1, kind: 'patch', patch: patchOf(operation) }, SEALED)
      await expect(write).rejects.toMatchObject({ code })
      expect(await storedIn(engine)).toEqual(USERS.users)
    })

    it('stores nothing that was not sealed', async () => {
      const engine = await openHiding()
      const write = engine.write({ ...USER_1, kind: 'merge', fields: { password: 'other' } }, SEALED)
      const message = 'must be a string that the request sends as such'
      await expect(write).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: { password: message } })
    })

    it('lets a schema judge what is sent, and not what is stored; defaults hide nothing', async () => {
      const engine = await openHiding({ schema, fields: ['password'] })
      await engine.write({ ...USER_1, kind: 'replace', fields: { a: 1 } })
      expect((await storedIn(engine))[0]).toEqual({ a: 1, id: 1, password: 'SECRET-1' })
      const long = { password: 'a very long one' }
      const seals = [['a very long one', 'SECRET-NEW']] as const
      const write = engine.write({ ...USER_1, kind: 'merge', fields: long }, { seals })
      await expect(write).rejects.toMatchObject({ errors: { password: 'must be short' } })
      const bare = engine.write({ kind: 'insert', collection: 'users', rows: [{}] })
      await expect(bare).rejects.toMatchObject({ errors: { password: 'must be short' } })
      await engine.write({ ...USER_1, kind: 'merge', fields: { password: 'plain' } }, SEALED)
      expect((await storedIn(engine))[0]).toMatchObject({ password: 'SECRET-NEW' })
    })

    it('are undone and redone with their rows', async () => {
      const engine = await openHiding()
      const commits: Commit[] = []
      engine.subscribe((commit) => commits.push(commit))
      await engine.write({ ...USER_1, kind: 'merge', fields: { password: 'plain' } }, SEALED)
      expect(JSON.stringify(commits)).not.toMatch(/SECRET/)
      await engine.write({ kind: 'move', direction: 'undo' })
      expect((await storedIn(engine))[0]).toEqual(USERS.users[0])
      await engine.write({ kind: 'move', direction: 'redo' })
      expect((await storedIn(engine))[0]).toMatchObject({ password: 'SECRET-NEW' })
      await engine.write({ ...USER_1, kind: 'remove' })
      await engine.write({ kind: 'move', direction: 'undo' })
      expect((await storedIn(engine))[0]).toMatchObject({ id: 1, password: 'SECRET-NEW' })
    })

    it('hides them in what replaces everything, and shows them again when the rules say so', async () => {
      const engine = await openHiding()
      const { found } = await engine.read({ kind: 'database' })
      await engine.write({ kind: 'replace-database', data: { users: [{ id: 7, password: 'SECRET-7' }] } })
      expect(plain(await readRows(engine, 'users'))).toEqual([{ id: 7 }])
      expect(await storedIn(engine)).toEqual([{ id: 7, password: 'SECRET-7' }])
      await engine.write({ kind: 'replace-database', data: found })
      expect(JSON.stringify(await storedIn(engine))).toBe(JSON.stringify(USERS.users))
      await engine.useRules(undefined)
      expect(JSON.stringify(await readRows(engine, 'users'))).toBe(JSON.stringify(USERS.users))
    })

    const computed = { sum: () => 0, z: () => 0 }
    const EDITS: [string, RowChange, added: readonly string[]][] = [
      ['a merge', { ...USER_1, kind: 'merge', fields: { name: 'x', more: 1 } }, ['more']],
      [
        'a merge with hidden fields',
        { ...USER_1, kind: 'merge', fields: { c: 'plain', y: 'plain', more: 1 } },
        ['y', 'more'],
      ],
      ['a JSON Patch', { ...USER_1, kind: 'patch', patch: patchOf({ op: 'remove', path: '/name' }) }, []],
    ]
    it.each(
      EDITS.flatMap(([what, change, added]) =>
        [['a'], ['c', 'a'], ['c', 'b', 'a'], ['a', 'b', 'c', 'd'], ['d', 'b']].map(
          (hiding) => [what, hiding, change, added] as const,
        ),
      ),
    )(
      'keeps the order of fields: %s, and hiding %j one after the other',
      async (_, hiding, change, added) => {
        const row = { a: 1, id: 1, name: '', b: 2, c: 3, d: 4, e: 5, z: 6 }
        for (const position of hiding.keys()) {
          const engine = await open({ users: [row] })
          const hide = (names: readonly string[], more?: object) =>
            engine.useRules(rulesWith({ hidden: [...names, 'y'], ...more }))
          for (let count = 1; count <= hiding.length; count++) {
            await hide(hiding.slice(0, count), { computed })
            if (count - 1 === position) await engine.write(change, { seals: [['plain', 'SECRET']] })
          }
          const removed = change.kind === 'patch' ? ['name'] : []
          const expected = [...Object.keys(row).filter((name) => !removed.includes(name)), ...added]
          for (let count = hiding.length; count >= 0; count--) {
            await hide(hiding.slice(0, count), count % 2 ? { computed } : {})
            const [stored = {}] = await storedIn(engine)
            expect(Object.keys(stored)).toEqual(expected)
            await engine.write({ ...USER_1, kind: 'merge', fields: { e: count } })
          }
          await engine.useRules(undefined)
          await engine.write({ ...USER_1, kind: 'merge', fields: { e: 9 } })
          const kept = await opened()?.kept?.()
          if (kept) expect(Object.keys(JSON.parse(kept).users[0])).toEqual(expected)
        }
      },
    )

    it('gives forks the same, which keep it to themselves', async () => {
      const engine = await openHiding()
      const fork = engine.fork(1)
      expect(await shownIn(fork)).not.toMatch(/SECRET|password/)
      await fork.write({ ...USER_1, kind: 'merge', fields: { password: 'plain' } }, SEALED)
      const { found } = await fork.read({ kind: 'item', ...USER_1 })
      expect(found && hiddenValue(found, 'password')).toBe('SECRET-NEW')
      expect(await storedIn(engine)).toEqual(USERS.users)
      await fork.reset()
      const after = await fork.read({ kind: 'item', ...USER_1 })
      expect(after.found && hiddenValue(after.found, 'password')).toBe('SECRET-1')
      expect(await shownIn(fork)).not.toMatch(/SECRET|password/)
    })

    it('takes texts for the same whatever their case, where rules say so', async () => {
      const engine = await openHiding()
      const insert = (email: string) =>
        engine.write({ kind: 'insert', collection: 'users', rows: [{ email }] })
      await expect(insert('BOB@EXAMPLE.com')).rejects.toMatchObject({
        code: 'NOT_UNIQUE',
        errors: { email: 'is already taken' },
      })
      const answers = await Promise.allSettled(['x@y', 'X@y', 'x@Y', 'X@Y'].map(insert))
      expect(answers.map(({ status }) => status).sort()).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
      ])
    })
  })
}

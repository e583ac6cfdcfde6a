import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { applyEffects, invert } from '../../../../src/core/engine/changes/effects.ts'
import type { Database } from '../../../../src/core/engine/data/database.ts'
import { findEntry } from '../../../../src/core/engine/data/lookup.ts'
import type { Commit, Effect } from '../../../../src/core/engine/data/store.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { ListQuery, Row } from '../../../../src/core/engine/types.ts'
import { openOnDesk } from '../../../support/engine/desk.ts'
import { runs } from '../../../support/length.ts'
import { plainSelect } from '../../../support/model/plain-select.ts'
import { change, parts } from '../../../support/model/random-changes.ts'
import { query, table } from '../../../support/model/random-table.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

/** Those of one group are saved together. */
const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })

function open(items: readonly unknown[], isShared: boolean) {
  const data = { items: items.slice(), parts: parts.slice(), profile: { name: 'a' } }
  const opened = openOnDesk(data, { isShared })
  const commits: Commit[] = []
  opened.engine.subscribe((commit) => commits.push(commit))
  return { ...opened, commits }
}

/** What indexes say has to be what a look at all rows says. */
async function check(database: Database, queries: readonly ListQuery[]): Promise<string> {
  const items = database.table('items') ?? Table.of([])
  const rows = items.rows.items()
  for (const asked of queries) {
    expect(await select(items, asked, NAMING.id)).toEqual(await plainSelect(rows, asked, NAMING.id))
  }
  for (let at = 0; at < 170; at += 7) {
    const isIt = (row: Row) => row?.id !== undefined && String(row.id) === String(at)
    expect((await findEntry(items, 'id', at))?.row).toBe(rows.find(isIt))
  }
  return JSON.stringify(database.toData(), null, 2)
}

/** As they come back from where they are stored. */
const stored = (commits: readonly Commit[]): readonly (readonly Effect[])[] =>
  commits.map(({ effects = [] }) => JSON.parse(JSON.stringify(effects)))

describe.each([
  ['of its own', false],
  ['that others hold too', true],
])('the effects of any changes, with data %s', (_, isShared) => {
  it('taken back one by one restore rows, order and indexes, and lead there again', async () => {
    await fc.assert(
      fc.asyncProperty(table, groups, fc.array(query, { maxLength: 2 }), async (items, all, queries) => {
        const { engine, desk, commits } = open(items, isShared)
        const states = [{ text: await check(engine.database, queries), commits: 0 }]
        for (const group of all) {
          await Promise.all(group.map((each) => engine.write(each)))
          const text = await check(engine.database, queries)
          expect(desk.saved === text).toBe(true)
          states.push({ text, commits: commits.length })
        }
        let { database } = engine
        const expectState = async (count: number) => {
          const text = await check(database, queries)
          for (const state of states) if (state.commits === count) expect(text === state.text).toBe(true)
        }
        const effects = stored(commits)
        for (const [at, each] of effects.toReversed().entries()) {
          database = await applyEffects(database, invert(each))
          await expectState(effects.length - at - 1)
        }
        for (const [at, each] of effects.entries()) {
          database = await applyEffects(database, each)
          await expectState(at + 1)
        }
      }),
      runs(6),
    )
  })

  it('are undone together with others in between that are refused', async () => {
    await fc.assert(
      fc.asyncProperty(table, groups, async (items, all) => {
        const { engine, desk, commits } = open(items, isShared)
        const before = await check(engine.database, [])
        for (const group of all) await Promise.all(group.map((each) => engine.write(each)))
        const refused: RowChange = {
          kind: 'batch',
          changes: [
            { kind: 'insert', collection: 'items', rows: [{ id: 'new' }], place: 3 },
            { kind: 'remove', collection: 'items', id: '9', dependents: 'all' },
            { kind: 'insert', collection: 'items', rows: [{ id: 'new' }] },
          ],
        }
        const undoing = commits
          .slice()
          .flatMap(() => [
            engine.write({ kind: 'move', direction: 'undo' }),
            expect(engine.write(refused)).rejects.toMatchObject({ code: 'DUPLICATE_ID' }),
          ])
        await Promise.all(undoing)
        expect((await check(engine.database, [])) === before).toBe(true)
        expect(desk.saved === before).toBe(true)
      }),
      runs(6),
    )
  })
})

describe('effects', () => {
  it.each<[string, RowChange]>([
    ['a row', { kind: 'merge', collection: 'items', id: '2', fields: { text: 'mine' } }],
    ['a row that is gone', { kind: 'remove', collection: 'items', id: '2' }],
    ['an object', { kind: 'merge-object', name: 'profile', fields: { name: 'mine' } }],
  ])('are refused as a whole where %s is not what they say it was', async (_, meanwhile) => {
    const { engine, commits } = open([{ id: 1 }, { id: 2 }], false)
    await engine.write({
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'parts', id: 'p0' },
        { kind: 'merge', collection: 'items', id: '2', fields: { text: 'a' } },
        { kind: 'merge-object', name: 'profile', fields: { name: 'b' } },
      ],
    })
    const [effects = []] = stored(commits)
    await engine.write(meanwhile)
    await expect(applyEffects(engine.database, invert(effects))).rejects.toMatchObject({
      code: 'UNDO_CONFLICT',
    })
  })
})

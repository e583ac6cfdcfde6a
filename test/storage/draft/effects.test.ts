import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Commit } from '../../../src/storage/commit.ts'
import { invertEffects } from '../../../src/storage/invert-effects.ts'
import { select } from '../../../src/storage/query/query.ts'
import type { ListQuery, Row } from '../../../src/storage/types.ts'
import { done } from '../../support/done.ts'
import { Desk } from '../../support/engine/desk.ts'
import { LocalStore } from '../../support/engine/local-store.ts'
import { change, parts } from '../../support/model/random-changes.ts'
import { query, table } from '../../support/model/random-table.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

/** Those of one group are saved together. */
const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })

function open(items: readonly unknown[], isOwned: boolean) {
  const data = { items: items.slice(), parts: parts.slice(), profile: { name: 'a' } }
  const desk = new Desk(data)
  const store = new LocalStore(data, { ...NAMING, medium: desk, isOwned: true })
  if (!isOwned) store.live.share()
  const commits: Commit[] = []
  store.subscribe((commit) => commits.push(commit), { effects: true })
  return { store, desk, commits }
}

/** What indexes say has to be what a look at all rows says. */
async function check(store: LocalStore, desk: Desk, queries: readonly ListQuery[]): Promise<string> {
  const text = JSON.stringify(store.data, null, 2)
  expect(desk.saved).toBe(text)
  const rows = store.rows('items') ?? []
  for (const asked of queries) {
    expect(await store.select('items', asked)).toEqual(done(select(rows, asked, NAMING)))
  }
  for (let at = 0; at < 170; at += 7) {
    const isIt = (row: Row) => row?.id !== undefined && String(row.id) === String(at)
    expect(store.find('items', at)).toBe(rows.find(isIt))
  }
  return text
}

describe.each([
  ['of its own', true],
  ['that others hold too', false],
])('the effects of any changes, with data %s', { timeout: 120_000 }, (_, isOwned) => {
  it('taken back one by one restore rows, order, file and indexes, and lead there again', async () => {
    await fc.assert(
      fc.asyncProperty(table, groups, fc.array(query, { maxLength: 2 }), async (items, all, queries) => {
        const { store, desk, commits } = open(items, isOwned)
        const states = [{ text: await check(store, desk, queries), commits: 0 }]
        for (const group of all) {
          await Promise.all(group.map((each) => store.write(each)))
          states.push({ text: await check(store, desk, queries), commits: commits.length })
        }
        const kept: Commit[] = JSON.parse(JSON.stringify(commits))
        for (let at = kept.length; at > 0; at--) {
          const { effects = [] } = kept[at - 1] ?? {}
          await store.write({ kind: 'apply', effects: invertEffects(effects) })
          const text = await check(store, desk, queries)
          const known = states.filter((state) => state.commits === at - 1)
          for (const state of known) expect(text === state.text).toBe(true)
        }
        for (const [at, { effects = [] }] of kept.entries()) {
          await store.write({ kind: 'apply', effects })
          const text = await check(store, desk, queries)
          const known = states.filter((state) => state.commits === at + 1)
          for (const state of known) expect(text === state.text).toBe(true)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('taken back together, with others in between that are refused, restore all of it as well', async () => {
    await fc.assert(
      fc.asyncProperty(table, groups, async (items, all) => {
        const { store, desk, commits } = open(items, isOwned)
        const before = await check(store, desk, [])
        for (const group of all) await Promise.all(group.map((each) => store.write(each)))
        const kept: Commit[] = JSON.parse(JSON.stringify(commits))
        const refused: RowChange = {
          kind: 'batch',
          changes: [
            { kind: 'insert', collection: 'items', rows: [{ id: 'new' }], place: 3 },
            { kind: 'remove', collection: 'items', id: '9', dependents: 'all' },
            { kind: 'insert', collection: 'items', rows: [{ id: 'new' }] },
          ],
        }
        const undoing = kept
          .toReversed()
          .flatMap(({ effects = [] }) => [
            store.write({ kind: 'apply', effects: invertEffects(effects) }),
            expect(store.write(refused)).rejects.toMatchObject({ code: 'DUPLICATE_ID' }),
          ])
        await Promise.all(undoing)
        expect((await check(store, desk, [])) === before).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})

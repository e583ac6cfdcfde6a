import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/storage/change.ts'
import type { Commit } from '../../../../src/storage/commit.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { isRow } from '../../../../src/storage/is-row.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Data, ListQuery } from '../../../../src/storage/types.ts'
import { changeOrRefusal, parts } from '../../../support/model/random-changes.ts'
import { query, table } from '../../../support/model/random-table.ts'
import { wideTable } from '../../../support/model/wide-table.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const RUNS = Number(process.env.FUZZ_RUNS ?? 6)

/** What a file would hold. */
function asStored<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

async function outcomeOf(engine: Engine, asked: RowChange): Promise<unknown> {
  try {
    return { outcome: asStored(await engine.write(asStored(asked))) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Those that share a transaction: a filter is the first in its own. What counts as a twin depends on what was before. */
function partsOf(group: readonly RowChange[]): readonly (readonly RowChange[])[] {
  const parts: RowChange[][] = []
  for (const change of group) {
    const last = parts.at(-1)
    if (!last || JSON.stringify(change).includes('-where"')) parts.push([change])
    else last.push(change)
  }
  return parts
}

/** The same filter, with other windows and orders: what is known of one must not be wrong for the next. */
const questions = fc.tuple(query, fc.array(query, { minLength: 1, maxLength: 3 }))

async function answerOf(engine: Engine, asked: ListQuery): Promise<unknown> {
  try {
    return asStored((await engine.read({ kind: 'list', collection: 'items', query: asked })).found)
  } catch (error) {
    return { error: String(error) }
  }
}

async function stateOf(engine: Engine): Promise<string> {
  return JSON.stringify((await engine.read({ kind: 'database' })).found)
}

function listen(engine: Engine): { readonly heard: Commit[]; readonly stop: () => void } {
  const heard: Commit[] = []
  const stop = engine.subscribe((commit) => heard.push(asStored(commit)), { effects: true })
  return { heard, stop }
}

describe.skipIf(!hasPostgres)(
  `PostgreSQL is changed as data in memory is${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    const opened: PostgresEngine[] = []
    async function open(address: string, data: Data): Promise<PostgresEngine> {
      const engine = await openPostgres(address, { ...naming, sample: () => data })
      opened.push(engine)
      return engine
    }
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })

    it.each([
      ['columns that are mixed', table],
      ['values of all kinds', wideTable],
    ])('%s', { timeout: 600_000 }, async (_, tables) => {
      const address = await freshAddress()
      const [one, two] = [await open(address, {}), await open(address, {})]
      await fc.assert(
        fc.asyncProperty(
          tables,
          fc.array(fc.array(changeOrRefusal, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 }),
          questions,
          async (items, groups, [filter, others]) => {
            // Made-up ids are different each time: where ids are numbers, none is made up.
            const numbered = items.map((row, at) =>
              isRow(row) && typeof row.id !== 'number' ? { ...row, id: at + 1 } : row,
            )
            const data = asStored<Data>({ items: numbered, parts, profile: { a: 1 } })
            await one.write({ kind: 'replace-database', data })
            const local = new LocalEngine(asStored(data), { ...naming, isOwned: true })
            await two.refresh()
            const ears = [listen(one), listen(two), listen(local)] as const
            for (const [at, group] of groups.entries()) {
              // Those that come together share a transaction; each instance has its turn.
              const engine = at % 3 === 2 ? two : one
              const outcomes = await Promise.all(group.map((each) => outcomeOf(engine, each)))
              const wanted: unknown[] = []
              for (const part of partsOf(group)) {
                wanted.push(...(await Promise.all(part.map((each) => outcomeOf(local, each)))))
              }
              expect(outcomes).toEqual(wanted)
              const { window, sort } = others[at % others.length] ?? filter
              const question = { ...filter, window, sort }
              const expected = await answerOf(local, question)
              // Neither waits until it has heard of it.
              for (const each of [two, one]) expect(await answerOf(each, question)).toEqual(expected)
            }
            const state = await stateOf(local)
            expect(await stateOf(one)).toBe(state)
            expect(await stateOf(two)).toBe(state)
            await Promise.all([one.refresh(), two.refresh()])
            const [here, elsewhere, expected] = ears.map(({ heard }) => heard)
            expect(here).toEqual(expected)
            expect(elsewhere).toEqual(expected)
            for (const { stop } of ears) stop()
          },
        ),
        {
          numRuns: RUNS,
          endOnFailure: true,
          ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}),
        },
      )
    })

    it('makes room where there is none left, as often as rows come to the same place', async () => {
      const data = { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }
      const engine = await open(await freshAddress(), data)
      const local = new LocalEngine(asStored(data), { ...naming, isOwned: true })
      for (let at = 0; at < 24; at++) {
        const rows = Array.from({ length: 1 + (at % 3) }, () => ({ at }))
        const insert = { kind: 'insert', collection: 'items', rows, place: at < 20 ? 1 : 0 } as const
        const removal = { kind: 'remove', collection: 'items', id: String(at + 4) } as const
        // The last row changes in the same transaction: it has to move as well.
        const merge = { kind: 'merge', collection: 'items', id: '3', fields: { at } } as const
        const both = { kind: 'batch', changes: [insert, merge] } as const
        for (const each of [both, ...(at % 4 === 3 ? [removal] : [])]) {
          expect(await outcomeOf(engine, each)).toEqual(await outcomeOf(local, each))
        }
      }
      expect(await stateOf(engine)).toBe(await stateOf(local))
    })

    it.each([
      ['where every place follows from its position', []],
      ['where some do not', ['1', '4']],
    ])('puts rows between those that stay, whatever goes in the same change: %s', async (_, gone) => {
      const data = { items: Array.from({ length: 14 }, (_, at) => ({ id: at + 1 })) }
      const engine = await open(await freshAddress(), data)
      const local = new LocalEngine(asStored(data), { ...naming, isOwned: true })
      const remove = (id: string) => ({ kind: 'remove', collection: 'items', id }) as const
      const insert = (place: number) =>
        ({ kind: 'insert', collection: 'items', rows: [{ place }, {}], place }) as const
      const append = { kind: 'insert', collection: 'items', rows: [{ a: 1 }, { a: 2 }] } as const
      const batches = [
        // Between those that come at the end.
        [append, insert(data.items.length - gone.length + 1), append],
        [remove('2'), remove('5'), insert(6)],
        [insert(9), remove('3'), insert(4), remove('11')],
        [remove('15'), insert(0), append, insert(99)],
      ]
      const changes = [
        ...gone.map(remove),
        ...batches.map((all) => ({ kind: 'batch', changes: all }) as const),
      ]
      for (const each of changes) {
        expect(await outcomeOf(engine, each)).toEqual(await outcomeOf(local, each))
        expect(await stateOf(engine)).toBe(await stateOf(local))
      }
    })

    it('finds rows by their places again once all of those were removed that stood elsewhere', async () => {
      const address = await freshAddress()
      const engine = await open(address, { items: [{ id: 1 }, { id: 2 }, { id: 3 }] })
      const dense = async () =>
        runIn(address, `SELECT dense FROM "${/schema=(\w+)/.exec(address)?.[1]}".resources`)
      await engine.write({ kind: 'remove', collection: 'items', id: '2' })
      expect(await dense()).toEqual([{ dense: false }])
      for (const id of ['1', '3']) await engine.write({ kind: 'remove', collection: 'items', id })
      await engine.write({ kind: 'insert', collection: 'items', rows: [{ id: 4 }] })
      expect(await dense()).toEqual([{ dense: true }])
      expect(await stateOf(engine)).toBe('{"items":[{"id":4}]}')
    })

    it('tells others of a collection that comes together with other changes', async () => {
      const address = await freshAddress()
      const [one, two] = [await open(address, { items: [] }), await open(address, {})]
      const known = new Promise((resolve) => two.subscribe(() => resolve(two.kindOf('more'))))
      await Promise.all([
        one.write({ kind: 'insert', collection: 'items', rows: [{}] }),
        one.write({ kind: 'create-collection', name: 'more' }),
      ])
      expect(await known).toBe('collection')
    })

    it('tells others that nothing is left', async () => {
      const address = await freshAddress()
      const [one, two] = [await open(address, { items: [] }), await open(address, {})]
      const known = new Promise((resolve) => two.subscribe(() => resolve(two.names())))
      await one.write({ kind: 'replace-database', data: {} })
      expect(await known).toEqual([])
    })

    it('gives each id once, however many instances insert at the same time', {
      timeout: 60_000,
    }, async () => {
      const address = await freshAddress()
      const engines = await Promise.all([1, 2, 3].map(() => open(address, { items: [] })))
      const heard = engines.map((engine) => listen(engine).heard)
      const writes = Array.from({ length: 60 }, (_, at) =>
        engines[at % 3]?.write({ kind: 'insert', collection: 'items', rows: [{ at }] }),
      )
      const ids = (await Promise.all(writes)).map((rows) => Number(rows?.[0]?.id))
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
      await Promise.all(engines.map((engine) => engine.refresh()))
      // All hear the same, in the same order.
      expect(heard[0]).toHaveLength(60)
      expect(heard[1]).toEqual(heard[0])
      expect(heard[2]).toEqual(heard[0])
    })
  },
)

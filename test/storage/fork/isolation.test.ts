import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/storage/change.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import type { Data, ListQuery } from '../../../src/storage/types.ts'
import { query, table, write } from '../../support/model/random-table.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const FORKS = 16

/** An engine, and the plain object that it must agree with: served live, so it has no index and is scanned. */
interface Pair {
  readonly engine: Engine
  readonly model: LocalEngine
}

function modelOf(data: Data): LocalEngine {
  return new LocalEngine(structuredClone(data), NAMING)
}

/** What a change does, or why it is refused. */
async function outcomeOf(engine: Engine, change: RowChange): Promise<unknown> {
  try {
    return await engine.write(structuredClone(change))
  } catch (error) {
    return { code: Reflect.get(Object(error), 'code') }
  }
}

async function change({ engine, model }: Pair, wanted: RowChange): Promise<void> {
  const [outcome, expected] = [await outcomeOf(engine, wanted), await outcomeOf(model, wanted)]
  expect(outcome).toEqual(expected)
}

async function found(engine: Engine, asked: ListQuery): Promise<unknown> {
  try {
    const reading = await engine.read({ kind: 'list', collection: 'items', query: asked })
    const { rows = [], ...head } = reading.found ?? {}
    return { ...head, rows: 'toArray' in rows ? rows.toArray() : rows.slice() }
  } catch (error) {
    return { code: Reflect.get(Object(error), 'code') }
  }
}

async function check({ engine, model }: Pair, asked: ListQuery): Promise<void> {
  expect(await found(engine, asked)).toEqual(await found(model, asked))
}

async function checkAll({ engine, model }: Pair): Promise<void> {
  const { found: data } = await engine.read({ kind: 'database' })
  expect(JSON.stringify(data)).toBe(JSON.stringify(model.live.data))
  const ids = new Set(['1', '3', '60', '999', ...Object.keys(Object(data.items)).slice(-3)])
  for (const id of ids) {
    const asked = { kind: 'item', collection: 'items', id } as const
    expect((await engine.read(asked)).found).toEqual((await model.read(asked)).found)
  }
}

type Step =
  | { readonly at: number; readonly change: RowChange }
  | { readonly at: number; readonly asked: ListQuery; readonly meanwhile: RowChange }
  | { readonly at: number; readonly again: 'fork' | 'reset' }

const at = fc.integer({ min: 0, max: FORKS })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ at, change: write }) },
  { weight: 4, arbitrary: fc.record({ at, asked: query, meanwhile: write }) },
  { weight: 1, arbitrary: fc.record({ at, again: fc.constantFrom('fork' as const, 'reset' as const) }) },
)

describe('sixteen forks and their base', { timeout: 120_000 }, () => {
  it('each answer like a plain object of its own, whatever the others do', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { minLength: 10, maxLength: 60 }), async (rows, steps) => {
        const data = { items: rows, single: { a: { b: 1 } } }
        const engine = new LocalEngine(structuredClone(data), { ...NAMING, isOwned: true })
        const base: Pair = { engine, model: modelOf(data) }
        const starts: Data[] = []
        const forks: (Pair & { readonly engine: ReturnType<LocalEngine['fork']> })[] = []
        const isReset = (place: number) =>
          steps.some((one) => one.at - 1 === place && 'again' in one && one.again === 'reset')
        const fork = (place: number) => {
          // To copy the data takes longer than all that is tested here.
          if (isReset(place)) starts[place] = structuredClone(base.model.live.data)
          forks[place] = { engine: engine.fork(), model: modelOf(base.model.live.data) }
        }
        for (const next of steps) {
          // The first of all is the base; the others become forks when they are first used.
          const place = next.at - 1
          if (place >= 0 && !forks[place]) fork(place)
          const pair = forks[place] ?? base
          if ('change' in next) await change(pair, next.change)
          else if ('asked' in next) {
            const expected = await found(pair.model, next.asked)
            const finding = found(pair.engine, next.asked)
            if (pair !== base) await change(base, next.meanwhile)
            expect(await finding).toEqual(expected)
          } else if (place >= 0 && next.again === 'fork') fork(place)
          else if (place >= 0) {
            await forks[place]?.engine.reset()
            const { engine: same } = pair as (typeof forks)[number]
            forks[place] = { engine: same, model: modelOf(starts[place] ?? {}) }
          }
        }
        for (const pair of [base, ...forks.filter(Boolean)]) await checkAll(pair)
      }),
      { numRuns: 30 },
    )
  })

  it('find the same rows in the same order through the indexes of the base, whatever they changed', async () => {
    const queries = fc.array(query, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        table,
        queries,
        fc.array(fc.tuple(write, query), { maxLength: 8 }),
        async (rows, first, steps) => {
          const engine = new LocalEngine({ items: structuredClone(rows) }, { ...NAMING, isOwned: true })
          for (const asked of first) await found(engine, asked)
          const pair = { engine: engine.fork(), model: modelOf({ items: rows }) }
          for (const [wanted, asked] of steps) {
            await change(pair, wanted)
            for (const each of [...first, asked]) await check(pair, each)
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/core/engine/change.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data, ListQuery, Row } from '../../../src/core/engine/types.ts'
import { openLive } from '../../../src/stores/live/live-data.ts'
import { runs } from '../../support/length.ts'
import { plainSelect } from '../../support/model/plain-select.ts'
import { query, table, write } from '../../support/model/random-table.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const FORKS = 16

/** An engine, and a plain object of its own that the same changes are made to. */
interface Pair {
  readonly engine: Engine
  readonly model: Model
}

interface Model {
  readonly data: Data
  readonly engine: Engine
}

function modelOf(given: Data): Model {
  const data = structuredClone(given)
  return { data, engine: openLive({ data }, NAMING) }
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
  const [outcome, expected] = [await outcomeOf(engine, wanted), await outcomeOf(model.engine, wanted)]
  expect(outcome).toEqual(expected)
}

async function found(engine: Engine, query: ListQuery): Promise<unknown> {
  const reading = await engine.read({ kind: 'list', collection: 'items', query })
  const { rows = [], ...head } = reading.found ?? {}
  return { ...head, items: 'toArray' in rows ? rows.toArray() : rows.slice() }
}

/** The slow and obvious way. */
async function expectedOf({ data }: Model, query: ListQuery): Promise<unknown> {
  const { ignored, ...selection } = await plainSelect(data.items as Row[], query, NAMING.id)
  return selection
}

async function checkAll({ engine, model }: Pair): Promise<void> {
  const { found: data } = await engine.read({ kind: 'database' })
  expect(JSON.stringify(data)).toBe(JSON.stringify(model.data))
  const rows = data.items as Row[]
  for (const id of ['1', '3', '60', '999', ...rows.slice(-3).map((row) => String(row?.id))]) {
    const { found } = await engine.read({ kind: 'item', collection: 'items', id })
    expect(found).toBe(rows.find((row) => row?.id !== undefined && String(row.id) === id))
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

describe('sixteen forks and their base', () => {
  it('each answer like a plain object of its own, whatever the others do', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { minLength: 10, maxLength: 60 }), async (rows, steps) => {
        const data = { items: rows, single: { a: { b: 1 } } }
        const engine = new Engine(structuredClone(data), NAMING)
        const base: Pair = { engine, model: modelOf(data) }
        const starts: Data[] = []
        const forks: Pair[] = []
        const isReset = (place: number) =>
          steps.some((one) => one.at - 1 === place && 'again' in one && one.again === 'reset')
        const fork = (place: number) => {
          // To copy the data takes longer than all that is tested here.
          if (isReset(place)) starts[place] = structuredClone(base.model.data)
          forks[place] = { engine: engine.fork(1), model: modelOf(base.model.data) }
        }
        for (const next of steps) {
          // The first of all is the base; the others become forks when they are first used.
          const place = next.at - 1
          if (place >= 0 && !forks[place]) fork(place)
          const pair = forks[place] ?? base
          if ('change' in next) await change(pair, next.change)
          else if ('asked' in next) {
            const expected = await expectedOf(pair.model, next.asked)
            const finding = found(pair.engine, next.asked)
            if (pair !== base) await change(base, next.meanwhile)
            expect(await finding).toEqual(expected)
          } else if (place >= 0 && next.again === 'fork') fork(place)
          else if (place >= 0) {
            await pair.engine.reset()
            forks[place] = { engine: pair.engine, model: modelOf(starts[place] ?? {}) }
          }
        }
        for (const pair of [base, ...forks.filter(Boolean)]) await checkAll(pair)
      }),
      runs(5),
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
          const engine = new Engine({ items: structuredClone(rows) }, NAMING)
          for (const asked of first) await found(engine, asked)
          const pair = { engine: engine.fork(1), model: modelOf({ items: rows }) }
          for (const [wanted, asked] of steps) {
            await change(pair, wanted)
            for (const each of [...first, asked]) {
              expect(await found(pair.engine, each)).toEqual(await expectedOf(pair.model, each))
            }
          }
        },
      ),
      runs(12),
    )
  })
})

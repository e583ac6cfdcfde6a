import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/storage/engine.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import { openPostgres, type PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts'
import type { Data, ListQuery } from '../../../src/storage/types.ts'
import { query, table } from '../../support/model/random-table.ts'
import { wideQuery, wideTable } from '../../support/model/wide-table.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const RUNS = Number(process.env.FUZZ_RUNS ?? 12)

/** What a file would hold. */
function asStored(data: Data): Data {
  return JSON.parse(JSON.stringify(data))
}

async function answer(engine: Engine, asked: ListQuery): Promise<unknown> {
  try {
    const { found } = await engine.read({ kind: 'list', collection: 'items', query: asked })
    return found && { ...found, rows: 'toArray' in found.rows ? found.rows.toArray() : found.rows }
  } catch (error) {
    return error
  }
}

describe.skipIf(!hasPostgres)(
  `PostgreSQL answers as a scan in memory does${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let engine: PostgresEngine
    beforeAll(async () => {
      engine = await openPostgres(await freshAddress(), { ...naming, sample: () => ({}) })
    })
    afterAll(() => engine.close())

    it.each([
      ['values of all kinds, few per column', wideTable, wideQuery],
      ['columns that are mixed and rows that are none', table, query],
    ])('%s', { timeout: 600_000 }, async (_, tables, queries) => {
      let [byPostgres, all] = [0, 0]
      await fc.assert(
        fc.asyncProperty(
          tables,
          fc.array(queries, { minLength: 20, maxLength: 30 }),
          async (items, asked) => {
            const data = asStored({ items })
            await engine.write({ kind: 'replace-database', data })
            const local = new LocalEngine(asStored({ items }), naming)
            for (const one of asked) {
              expect(await answer(engine, one), JSON.stringify(one)).toEqual(await answer(local, one))
              const explained = await engine
                .read({ kind: 'explain', collection: 'items', query: one })
                .catch(() => undefined)
              all++
              if (explained?.found?.plan.examined === 0) byPostgres++
            }
          },
        ),
        {
          numRuns: RUNS,
          endOnFailure: true,
          ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}),
        },
      )
      // Else PostgreSQL only ever narrows down what JavaScript decides, and the comparison proves little.
      if (process.env.FUZZ_RUNS) console.log(`${byPostgres} of ${all}`)
      expect(byPostgres).toBeGreaterThan(0)
    })
  },
)

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/storage/engine.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { Tables } from '../../../../src/storage/postgres/layout/tables.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Data, ListQuery } from '../../../../src/storage/types.ts'
import { narrowQueries } from '../../../support/model/narrow-table.ts'
import { query, table } from '../../../support/model/random-table.ts'
import { wideQuery, wideTable } from '../../../support/model/wide-table.ts'
import {
  freshAddress,
  hasPostgres,
  runIn,
  SKIPPED,
  turkishAddress,
} from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const RUNS = Number(process.env.FUZZ_RUNS ?? 6)

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

function together(tables: fc.Arbitrary<readonly unknown[]>, queries: fc.Arbitrary<ListQuery>) {
  return fc.record({ items: tables, queries: fc.array(queries, { minLength: 20, maxLength: 30 }) })
}

describe.skipIf(!hasPostgres)(
  `PostgreSQL answers as a scan in memory does${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let plain: PostgresEngine
    let turkish: PostgresEngine
    let address: string
    beforeAll(async () => {
      plain = await openPostgres(await freshAddress(), { ...naming, sample: () => ({}) })
      address = await turkishAddress()
      turkish = await openPostgres(address, { ...naming, sample: () => ({}) })
      await runIn(address, 'CREATE EXTENSION pg_trgm')
    })
    afterAll(() => Promise.all([plain.close(), turkish.close()]))

    /** All that could be made on demand, for each table. */
    async function makeIndexes(): Promise<void> {
      const schema = /schema=(\w+)/.exec(address)?.[1]
      const [state] = await runIn(address, `SELECT max(rid) AS rid FROM ${schema}.resources`)
      const rid = Number(state && typeof state === 'object' && Reflect.get(state, 'rid'))
      const slots = Array.from({ length: 5 }, (_, slot) => [`n${slot}`, `t${slot}`]).flat()
      const tables = new Tables(String(schema))
      const made = [...slots.map((slot) => tables.indexSlot(rid, slot)), tables.indexWords(rid, 'public')]
      await runIn(address, ...made.map((statement) => statement.replace('CONCURRENTLY ', '')))
    }

    it.each([
      ['values of all kinds, few per column', together(wideTable, wideQuery), 1, false],
      ['values of all kinds, by indexes, in Turkish', together(wideTable, wideQuery), 0.5, true],
      ['columns that are mixed and rows that are none', together(table, query), 1, false],
      ['one column, and what is nearly in it', narrowQueries, 3, false],
    ])('%s', { timeout: 3_600_000 }, async (_, asked, times, isTurkish) => {
      let [byPostgres, all] = [0, 0]
      const engine = isTurkish ? turkish : plain
      await fc.assert(
        fc.asyncProperty(asked, async ({ items, queries }) => {
          const data = asStored({ items })
          await engine.write({ kind: 'replace-database', data })
          if (isTurkish) await makeIndexes()
          const local = new LocalEngine(asStored({ items }), naming)
          for (const one of queries) {
            expect(await answer(engine, one), JSON.stringify(one)).toEqual(await answer(local, one))
            const explained = await engine
              .read({ kind: 'explain', collection: 'items', query: one })
              .catch(() => undefined)
            all++
            if (explained?.found?.plan.examined === 0) byPostgres++
          }
        }),
        {
          numRuns: Math.ceil(RUNS * times),
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

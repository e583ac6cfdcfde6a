import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/router/query/parse-query.ts'
import { Store } from '../../../src/storage/local/store.ts'
import { select } from '../../../src/storage/query/query.ts'
import type { Naming, Row } from '../../../src/storage/types.ts'
import { done } from '../../support/done.ts'
import { Outside } from '../../support/outside.ts'
import { filterByModel } from '../../support/query-model.ts'
import { parameters, rows } from '../../support/random-filters.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

describe('a filter finds what the contract says', { timeout: 60_000 }, () => {
  it('with every operator, by a scan and through indexes', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(parameters, { maxLength: 4 }), async (table, asked) => {
        const store = new Store({ items: structuredClone(table) }, { ...NAMING, medium: new Outside() })
        for (const one of asked) {
          const query = parseQuery(one)
          const expected = filterByModel<Row>(table, one)
          expect(done(select(table, query, NAMING)).items).toEqual(expected)
          // Once to make the indexes, once to use them.
          await store.select('items', query)
          expect((await store.select('items', query)).items).toEqual(expected)
        }
      }),
      { numRuns: 300 },
    )
  })
})

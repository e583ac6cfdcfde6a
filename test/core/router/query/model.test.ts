import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { ListQuery, Naming, Row } from '../../../../src/core/engine/types.ts'
import { parseQuery } from '../../../../src/core/router/query/parse-query.ts'
import { runs } from '../../../support/length.ts'
import { filterByModel } from '../../../support/model/query-model.ts'
import { parameters, rows, where } from '../../../support/model/random-filters.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

async function compare(table: Table, query: ListQuery, expected: readonly Row[]) {
  // Once to make the indexes, once to use them.
  for (const _ of ['first', 'again']) {
    expect((await select(table, query, NAMING.id)).items).toEqual(expected)
  }
}

describe('a filter finds what the contract says, by a scan and through indexes', () => {
  it('with every operator, in both spellings, on fields that are there and that are not', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(parameters, { maxLength: 4 }), async (table, asked) => {
        const indexed = Table.of(table)
        for (const one of asked) await compare(indexed, parseQuery(one), filterByModel<Row>(table, one))
      }),
      runs(80),
    )
  })

  it('with any _where, alone and beside parameters', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(fc.tuple(where, parameters), { maxLength: 4 }),
        async (table, asked) => {
          const indexed = Table.of(table)
          for (const [tree, one] of asked) {
            const query = parseQuery({ ...one, _where: JSON.stringify(tree) })
            await compare(indexed, query, filterByModel<Row>(table, one, tree))
          }
        },
      ),
      runs(80),
    )
  })
})

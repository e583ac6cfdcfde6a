import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { exchange } from '../../support/http/exchange.ts'
import { runs } from '../../support/length.ts'
import { type Asked, answer, type Tables } from '../../support/model/relations-model.ts'

const folder = folderOf()
const id = fc.constantFrom<unknown>(1, 2, 3, '1', '3', 'x', '1,2', true)
const key = fc.oneof({ weight: 5, arbitrary: id }, fc.constantFrom<unknown>(null, 9, [1, 2], { a: 1 }, ''))
const keys = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.oneof(id, fc.constantFrom<unknown>(null, { id: 1 }, [1])), { maxLength: 4 }),
  },
  fc.constantFrom<unknown>(null, 1, 'x'),
)

/** Names of one type in one table, since those of several types compare in circles. */
function tablesWith(name: fc.Arbitrary<unknown>): fc.Arbitrary<Tables> {
  const row = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
    fc.record(
      { id, name: fc.oneof({ weight: 6, arbitrary: name }, fc.constant(null)), ...fields },
      { requiredKeys: [] },
    )
  const rows = (one: fc.Arbitrary<unknown>, most = 6) =>
    fc.array(one, { maxLength: most }) as fc.Arbitrary<Tables[string]>
  const own = fc.option(fc.constantFrom<unknown>('as typed', { name: 2 }, { name: 'b' }), {
    nil: undefined,
    freq: 1,
  })
  const product = { company_id: key, tag_ids: keys, at: fc.record({ lat: fc.nat(2), lng: fc.nat(2) }) }
  return fc
    .record({
      countries: rows(row({})),
      companies: rows(row({ country_id: key })),
      // So many that indexes answer, or few.
      products: fc.oneof(
        rows(row(product)),
        fc.array(row(product), { minLength: 64, maxLength: 80 }) as fc.Arbitrary<Tables[string]>,
      ),
      tags: rows(row({})),
      reviews: rows(row({ product_id: key })),
      ownCompany: fc.boolean(),
      own,
    })
    .map(({ ownCompany, own: field, ...tables }) => {
      const [first] = tables.products
      if (ownCompany && first && field !== undefined && Math.abs(tables.tags.length) % 2 === 0)
        first.company = field
      return tables
    })
}

const tables = fc.oneof(tablesWith(fc.nat(4)), tablesWith(fc.constantFrom('a', 'b', 'B', 'c d', '')))

const RELATIONS: Record<string, readonly string[]> = {
  products: [
    'company',
    'tags',
    'reviews',
    'company.country',
    'company.products',
    'tags.products',
    'reviews.product',
    'nope',
    'company.nope',
  ],
  companies: [
    'products',
    'country',
    'products.reviews',
    'products.tags',
    'country.companies',
    'nope.products',
  ],
  tags: ['products', 'products.company', 'products.company.country', 'tags'],
  reviews: ['product', 'product.company', 'product.company.country', 'product.tags', 'products'],
}
const PATHS = [
  'name',
  'id',
  'nope',
  'company.name',
  'company.id',
  'company.nope',
  'company.country.name',
  'product.company.name',
  'product.name',
  'country.name',
  'at.lat',
]
const FIELDS = [
  'id',
  'name',
  'nope',
  'at.lat',
  'company',
  'company.name',
  'company.country.name',
  'tags',
  'tags.name',
  'products.name',
  'products.company.id',
  'product.company_id',
]
const OPS = ['eq', 'ne', 'gte', 'lte', 'gt', 'lt', 'in', 'nin', 'null'] as const

const question = fc.constantFrom('products', 'products', 'companies', 'tags', 'reviews').chain((table) =>
  fc.record({
    table: fc.constant(table),
    embed: fc.subarray([...(RELATIONS[table] ?? [])], { maxLength: 2 }),
    expand: fc.subarray([...(RELATIONS[table] ?? [])], { maxLength: 2 }),
    filters: fc.uniqueArray(
      fc.record({
        path: fc.constantFrom(...PATHS),
        op: fc.constantFrom(...OPS),
        value: fc.constantFrom('1', '2', 'a', 'b', ''),
      }),
      { maxLength: 2, selector: ({ path, op }) => `${path} ${op}` },
    ),
    sort: fc.uniqueArray(
      fc.record({
        path: fc.constantFrom(...PATHS.filter((path) => !path.endsWith('id'))),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      }),
      {
        maxLength: 2,
        selector: ({ path }) => path,
      },
    ),
    fields: fc.oneof(fc.constant([]), fc.subarray(FIELDS, { maxLength: 4 })),
    omit: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(FIELDS, { maxLength: 2 })),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    page: fc.integer({ min: 1, max: 3 }),
  }),
)

function urlOf({ table, embed, expand, filters, sort, fields, omit }: Asked & { table: string }): string {
  const query = new URLSearchParams()
  if (embed.length > 0) query.set('_embed', embed.join())
  for (const name of expand) query.append('_expand', name)
  for (const { path, op, value } of filters) {
    const text = op === 'null' ? String(value === 'a') : value
    query.set(op === 'eq' ? path : `${path}_${op}`, text)
  }
  if (sort.length > 0) {
    query.set('_sort', sort.map(({ path }) => path).join())
    query.set('_order', sort.map(({ order }) => order).join())
  }
  if (fields.length > 0) query.set('_fields', fields.join())
  if (omit.length > 0) query.set('_omit', omit.join())
  return `/${table}?${query}`
}

async function listening(source: string | object) {
  const app = create().use(router(source, { foreignKeySuffix: '_id' }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

it('relations, filters, sorts and fields answer as a plain model does', async () => {
  let files = 0
  await fc.assert(
    fc.asyncProperty(tables, fc.array(question, { minLength: 8, maxLength: 8 }), async (made, questions) => {
      const data: Tables = JSON.parse(JSON.stringify(made))
      const file = join(folder, `${files++}.json`)
      writeFileSync(file, JSON.stringify(data))
      const servers = [await listening(file), await listening(data)]
      try {
        for (const { limit, page, ...asked } of questions) {
          const filters = asked.filters.map((one) =>
            one.op === 'null' ? { ...one, value: String(one.value === 'a') } : one,
          )
          const { rows, total } = answer(data, asked.table, { ...asked, filters })
          const window = limit === undefined ? '' : `&_page=${page}&_limit=${limit}`
          const expected = limit === undefined ? rows : rows.slice((page - 1) * limit, page * limit)
          for (const server of servers) {
            const { port } = server.address() as AddressInfo
            const { status, body, headers } = await exchange(port, {
              method: 'GET',
              path: urlOf(asked) + window,
            })
            expect([status, headers['x-total-count']]).toEqual([200, String(total)])
            expect(JSON.stringify(JSON.parse(body))).toBe(JSON.stringify(expected))
          }
        }
      } finally {
        for (const server of servers) {
          server.closeAllConnections()
          server.close()
        }
      }
    }),
    { ...runs(15), endOnFailure: true },
  )
})

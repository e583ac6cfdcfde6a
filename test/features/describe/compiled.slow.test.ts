import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { typesText } from '../../../src/features/describe/types-text.ts'
import { describeApi, type StartOptions } from '../../../src/index.ts'
import { modelOf } from '../../support/describable.ts'
import { folderOf } from '../../support/folder.ts'

const DATA = {
  companies: [{ id: 1, name: 'Acme' }],
  products: [{ id: 1, name: 'Desk', price: 1.5, company_id: 1, tag_ids: [1] }],
  tags: [{ id: 1, label: 'new' }],
  profile: { theme: 'dark' },
}

/** What compiles, and what must not: the compiler complains of an error that it expected and did not find. */
const PROGRAM = `
import type { NewProduct, Paths, Product, Resources } from './api.js'

type Data<Path extends keyof Paths, Method extends keyof Paths[Path]> =
  Paths[Path][Method] extends { data: infer Found } ? Found : never
declare function get<Path extends keyof Paths>(path: Path): Data<Path, 'GET' & keyof Paths[Path]>

const list = get('/products')
const name: string | undefined = list[0]?.company?.products?.[0]?.tags?.[0]?.label
const item = get('/companies/{id}/products/{childId}')
const plain: Product = item
const theme: string = get('/profile').theme
const all: Resources['products'] = list

const fresh: NewProduct = { name: 'Lamp', price: 2, company_id: 1, tag_ids: [] }
const nested: Paths['/companies/{id}/products']['POST']['body'] = { name: 'Lamp', price: 2, tag_ids: [] }
const replaced: Paths['/companies/{id}/products/{childId}']['PUT']['body'] = nested
const some: Paths['/products']['PATCH'] = { body: { price: 3 }, data: [plain] }
const gone: Paths['/products']['DELETE']['data'] = {}

// @ts-expect-error: only what _expand was asked for is there
const sure: string = item.company.name
// @ts-expect-error: a missing field
const lacking: NewProduct = { name: 'Lamp' }
// @ts-expect-error: the path has the foreign key
const twice: Paths['/companies/{id}/products']['POST']['body'] = { ...nested, company_id: 2 }
// @ts-expect-error: an item, not a list
const wrong: Paths['/products']['PATCH'] = { body: {}, data: plain }
// @ts-expect-error: there is no such path
get('/tags/{id}/products')
// @ts-expect-error: a write has no relations
const written = (answer: Paths['/products']['POST']['data']) => answer.company

export { all, fresh, gone, lacking, name, replaced, some, sure, theme, twice, wrong, written }
`

/** With schemas of the user's. */
const DECLARED = {
  data: { boards: [{ id: 1 }], shapes: [], trees: [] },
  foreignKeySuffix: '_id',
  resources: {
    shapes: {
      schema: {
        properties: {
          board_id: { type: 'integer' },
          at: {
            type: 'array',
            prefixItems: [{ type: 'number' }, { type: 'number' }],
            items: false,
            minItems: 2,
          },
          labels: {
            type: 'object',
            patternProperties: { '^x-': { type: 'string' } },
            additionalProperties: false,
          },
          parts: { type: 'array', items: { $ref: '#' } },
        },
        required: ['kind', 'at'],
        oneOf: [
          { properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['r'] },
          { properties: { kind: { const: 'square' }, w: { type: 'number' } }, required: ['w'] },
        ],
      },
    },
    trees: {
      schema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: {
          top: { $ref: '#/definitions/node' },
          size: { type: 'array', items: [{ type: 'integer' }] },
        },
        definitions: {
          node: {
            type: 'object',
            properties: { kids: { type: 'array', items: { $ref: '#/definitions/node' } } },
          },
        },
      },
    },
  },
} satisfies StartOptions

const OF_SCHEMAS = `
import type { NewShape, Paths, Shape, Tree } from './api.js'

const circle: NewShape = { kind: 'circle', r: 1, at: [1, 2], labels: { 'x-a': 'b' }, parts: [{ kind: 'square', w: 1, at: [0, 0] }] }
const width = (shape: Shape): number => (shape.kind === 'circle' ? shape.r * 2 : shape.w)
const nested: Paths['/boards/{id}/shapes']['POST']['body'] = { kind: 'square', w: 2, at: [0, 0] }
const deep = (tree: Tree) => tree.top?.kids?.[0]?.kids?.[0]?.kids
const size: Tree['size'] = [1, 'and', 'more']

// @ts-expect-error: a circle has no width
const wrong = (shape: Shape) => shape.kind === 'circle' && shape.w
// @ts-expect-error: two numbers
const short: NewShape = { kind: 'circle', r: 1, at: [1] }
// @ts-expect-error: labels are texts
const label: NewShape = { kind: 'circle', r: 1, at: [1, 2], labels: { 'x-a': 1 } }
// @ts-expect-error: a square has a width
const bare: Paths['/boards/{id}/shapes']['POST']['body'] = { kind: 'square', at: [0, 0] }
// @ts-expect-error: numbers come first
const first: Tree['size'] = ['1']

export { bare, circle, deep, first, label, nested, short, size, width, wrong }
`

/** Logic has the stored names, whatever clients know. */
const SHOWN = { data: DATA, foreignKeySuffix: '_id', shape: { keys: 'camel' } } satisfies StartOptions

const LOGIC = `
import { define } from ${JSON.stringify(resolve('src/wings/logic/define.ts'))}
import type { Api, Product } from './api.js'

export const companyOf = (product: Product): number => product.companyId

export default define<Api>({
  'POST /products/:id/sell': async ({ params, db, now, later, user, body }) => {
    const product = await db.products.update(String(params.id), { price: 2 })
    await db.tags.create([{ label: now }])
    const company: number = product.company_id
    const theme: string | undefined = (await db.asServer.profile.get())?.theme
    later('2s', ({ db }) => db.tags.remove(1))
    // @ts-expect-error: there is no such field
    await db.products.update(1, { prize: 2 })
    // @ts-expect-error: a price is a number
    await db.products.update(1, { price: '2' })
    // @ts-expect-error: fields are missing
    await db.products.create({ name: 'Lamp' })
    // @ts-expect-error: there is no such collection
    await db.orders.list()
    return [202, { ...product, theme, user, body, company }]
  },
  products: {
    computed: { gross: (product) => product.price * 1.2 },
    before: {
      create: ({ row }) => ({ ...row, name: row.name.trim() }),
      update: ({ row, old }) => void (row.price === old.price),
    },
    after: { delete: async ({ row, db }) => db.tags.remove(row.id) },
  },
  // @ts-expect-error: there is no such field
  companies: { computed: { short: (company) => company.title } },
})
`

it.each([
  ['a logic file', LOGIC, async () => (await describeApi(SHOWN)).types()],
  ['a database', PROGRAM, async () => typesText(await modelOf(DATA))],
  ['schemas', OF_SCHEMAS, async () => (await describeApi(DECLARED)).types()],
])(
  'the types of %s allow what the server does, and nothing else',
  { timeout: 120_000 },
  async (_, program, types) => {
    const folder = folderOf({
      'package.json': '{ "type": "module" }',
      'api.d.ts': await types(),
      'program.ts': program,
    })
    const flags = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
    const kind = ['--module', 'nodenext', '--target', 'es2022', '--types', '', '--allowImportingTsExtensions']
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const said = await promisify(execFile)(process.execPath, [compiler, ...flags, ...kind, 'program.ts'], {
      cwd: folder,
    }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }))
    expect(said.stdout).toBe('')
  },
)

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeApi, type RunningServer, type StartOptions, start } from '../../src/index.ts'
import { formatOf } from '../../src/wings/schemas/formats.ts'
import { runs } from '../support/length.ts'
import { type Installed, install } from '../support/package/install.ts'

const run = promisify(execFile)

/** Redocly brings 30 packages and 50 MB with it: none of it belongs into what everybody installs. */
let tools: Installed
let folder: string
beforeAll(async () => {
  tools = await install(
    '@redocly/cli@2.73.0',
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    'typescript@5.9.3',
    'ajv@8.20.0',
    'ajv-formats@3.0.1',
  )
}, 180_000)
beforeAll(async () => {
  folder = await mkdtemp(join(dirname(tools.require.resolve('ajv/package.json')), '../../described-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SHOP = {
  products: [
    {
      id: 1,
      name: 'Desk',
      price: 89.5,
      company_id: 1,
      tag_ids: [1],
      made: '2026-01-01T10:00:00Z',
      note: null,
    },
    {
      id: 2,
      name: 'Chair',
      price: 20,
      company_id: 1,
      tag_ids: [],
      made: '2026-02-01T10:00:00Z',
      size: { w: 1 },
    },
  ],
  companies: [
    { id: 1, name: 'Acme', site: 'https://example.com', offices: [{ city: 'Rome' }, { city: null }] },
  ],
  tags: [{ id: 1, label: 'new' }],
  users: [{ id: 'a', email: 'ada@example.com', password: 'hunter2', born: '1815-12-10' }],
  profile: { theme: 'dark', limits: { daily: 3 } },
}
/** What people and machines call things. */
const ODD = {
  records: [{ id: 1 }],
  post: { id: 1 },
  posts: [{ id: 1, post_id: 1, 'a-b': 1, class: 2, '*/': 3, '"': 4, '': 5, _page: 6, price_gte: 7 }],
  Posts: [],
  new_posts: [{ id: 'x' }],
  '2024 reports': [{ id: 1, '1st': true }],
  данные: [{ id: 1, имя: 'x' }],
  'a b{c}': [{ id: 1 }],
  stats: [{ id: 1 }],
  links: [
    { id: 1, $ref: '#/nowhere', deep: [{ $ref: 'there.json' }], link_id: 1 },
    { id: 2, $ref: 'x', $id: 'y', $schema: 'z', $anchor: 'a b', $defs: { $ref: 'x' }, discriminator: 'd' },
  ],
  db: [{ id: 1 }],
  mixed: [{ id: 1, value: 1 }, { id: 'b', value: [1, 'a'] }, { value: { deep: null } }, 7, null],
  constructor: [{ id: 1, constructor: 1 }],
  empty: {},
  dictionary: Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`key ${n}`, n])),
}
const RULES = {
  '/api/v1/*': '/$1',
  '/firms/:id/full': '/companies/:id?_embed=products',
  '/find/:term': '/products?name_like=:term',
  '/health': '/health-check',
}

/** Schemas of all kinds. */
const SCHEMAS = {
  shapes: {
    schema: {
      type: 'object',
      properties: {
        at: {
          type: 'array',
          prefixItems: [{ type: 'number' }, { type: 'number' }],
          items: false,
          minItems: 2,
        },
        made: { type: 'string', format: 'iri' },
        parts: { type: 'array', items: { $ref: '#' } },
        labels: {
          type: 'object',
          patternProperties: { '^x-': { type: 'string' } },
          additionalProperties: false,
        },
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
        root: { $ref: '#/definitions/node' },
        point: { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'string' } },
      },
      dependencies: { root: ['point'], point: { required: ['root'] } },
      definitions: {
        node: {
          type: 'object',
          properties: { kids: { type: 'array', items: { $ref: '#/definitions/node' } } },
        },
      },
    },
    references: { board_id: { resource: 'boards' } },
  },
}

const CONFIGS: readonly [string, StartOptions & { readonly routes?: string }][] = [
  ['a plain server', { data: SHOP }],
  ['odd names', { data: ODD }],
  ['nothing at all', { data: {} }],
  [
    'schemas of all kinds',
    {
      data: { shapes: [{ id: 1, kind: 'circle', r: 1, at: [1, 2] }], boards: [{ id: 1 }], trees: [] },
      resources: SCHEMAS,
    },
  ],
  ['all guards', { data: SHOP, middlewares: ['cors', 'delay', 'rate-limit', 'api-key', 'bearer', 'logger'] }],
  [
    'a login, snapshots and cascades',
    { data: SHOP, middlewares: ['jwt'], snapshots: 'saved', cascade: true },
  ],
  [
    'accounts, and rules who may do what',
    {
      data: SHOP,
      middlewares: ['accounts'],
      accounts: { cookies: true, persona: true },
      resources: { products: { access: 640 }, tags: { access: { read: 'role:admin' } } },
    },
  ],
  ['a read-only server', { data: SHOP, readOnly: true, middlewares: ['jwt'], noCors: true }],
  [
    'logic',
    {
      data: SHOP,
      logic: {
        'GET /products/:product': () => 1,
        'PATCH /products/:product/sell': () => 1,
        'DELETE /own/:one/:other': () => 1,
        products: { computed: { gross: ({ price }: { price: number }) => price * 2 } },
      },
    },
  ],
  ['rewrite rules', { data: SHOP, routes: 'routes.json', middlewares: ['api-key'] }],
]

/** Runs a program; what it complains of is the error. */
async function program(file: string, ...args: readonly string[]): Promise<string> {
  const ran = await run(process.execPath, [file, ...args], { cwd: folder }).catch(
    (error: { stdout?: string; stderr?: string }) =>
      Promise.reject(new Error(`${error.stdout}\n${error.stderr}`)),
  )
  return ran.stdout
}

function lint(...files: readonly string[]): Promise<string> {
  const home = dirname(tools.require.resolve('@redocly/cli/package.json'))
  return program(join(home, 'bin/cli.js'), 'lint', ...files)
}

/** Our own compiler: openapi-typescript needs an older one, which takes many times as long. */
function compile(...files: readonly string[]): Promise<string> {
  return program(
    resolve('node_modules/typescript/bin/tsc'),
    ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'],
    ...[
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--module',
      'nodenext',
      '--moduleResolution',
      'nodenext',
    ],
    ...files,
  )
}

/** Types of a document, as openapi-typescript makes them. */
async function typesOf(document: object): Promise<string> {
  const { default: openapiTS, astToString } = await import(tools.require.resolve('openapi-typescript'))
  return astToString(await openapiTS(JSON.stringify(document)))
}

describe('documents of all kinds of servers', { timeout: 120_000 }, () => {
  it('have no error for Redocly, and compile with the types made of them', async () => {
    await writeFile(join(folder, 'routes.json'), JSON.stringify(RULES))
    for (const [number, [, options]] of CONFIGS.entries()) {
      const routes = options.routes && { routes: join(folder, options.routes) }
      const api = await describeApi({ foreignKeySuffix: '_id', ...options, ...routes })
      const document = await api.openapi()
      await writeFile(join(folder, `openapi-${number}.json`), JSON.stringify(document))
      await writeFile(join(folder, `api-${number}.ts`), await typesOf(document))
      await writeFile(join(folder, `types-${number}.ts`), await api.types())
    }
    const files = (name: string) => CONFIGS.map((_, number) => name.replace('*', `${number}`))
    // Ends with 1 where there is an error.
    await lint(...files('openapi-*.json'))
    await compile(...files('api-*.ts'), ...files('types-*.ts'))
  })

  it('would not pass if something were wrong with them', async () => {
    const document = await (await describeApi({ data: SHOP })).openapi()
    const wrong = JSON.stringify(document).replaceAll(
      '#/components/schemas/Product"',
      '#/components/schemas/Nothing"',
    )
    await writeFile(join(folder, 'wrong.json'), wrong)
    await expect(lint('wrong.json')).rejects.toThrow(/resolve/)
  })
})

/** Does what a client does with all of it; anything that the types do not allow is a fault of the compiler. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'
import type { NewProduct, Paths, Product } from './types.js'

export async function useApi(baseUrl: string) {
  const client = createClient<paths>({ baseUrl })
  const draft: NewProduct = { name: 'Lamp', price: 5, company_id: 1, tag_ids: [1], made: '2026-03-01T00:00:00Z', note: 'x' } as NewProduct
  const made = await client.POST('/products', { body: draft })
  if (!made.data) throw new Error(made.error.message)
  const id: number = made.data.id
  const list = await client.GET('/products', { params: { query: { name_like: 'l', price_lte: 10, _sort: 'price', id: [id, 1] } } })
  const changed = await client.PATCH('/products/{id}', { params: { path: { id } }, body: { price: 6.5 } })
  const expanded = await client.GET('/products/{id}', { params: { path: { id }, query: { _expand: 'company' } } })
  const nested = await client.GET('/companies/{id}/products', { params: { path: { id: 1 } } })
  const replaced = await client.PUT('/products/{id}', { params: { path: { id } }, body: { ...draft, name: 'Lamp 2' } })
  const removed = await client.DELETE('/products/{id}', { params: { path: { id } } })
  const gone = await client.GET('/products/{id}', { params: { path: { id } } })
  const profile = await client.PATCH('/profile', { body: { theme: 'light' } })
  const taken = await client.POST('/products', { body: { ...draft, id: 1 } })
  const code = taken.error && 'code' in taken.error ? taken.error.code : undefined
  const own: Paths['/products']['GET']['data'] = list.data ?? []
  const first: Product | undefined = own[0]
  return {
    names: own.map((row) => row.name), first: first?.price,
    total: list.response.headers.get('X-Total-Count'),
    changed: changed.data?.price, company: expanded.data?.company?.name, nested: nested.data?.length,
    replaced: replaced.data?.name, removed: removed.data, gone: gone.response.status, theme: profile.data?.theme, code,
  }
}
`
const WRONG = [
  "client.GET('/nothing', {})",
  "client.PATCH('/products/{id}', { params: { path: { id: 1 } }, body: { price: 'free' } })",
  "client.POST('/products', { body: { name: 'x' } })",
  "client.GET('/products', { params: { query: { colour: 'red' } } })",
]

describe('openapi-fetch with the types of openapi-typescript', { timeout: 120_000 }, () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await start({ data: structuredClone(SHOP), foreignKeySuffix: '_id' })
    const document = await (await fetch(`${server.url}/__openapi.json`)).json()
    await writeFile(join(folder, 'api.ts'), await typesOf(Object(document)))
    await writeFile(
      join(folder, 'types.ts'),
      await (await describeApi({ data: SHOP, foreignKeySuffix: '_id' })).types(),
    )
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterAll(() => server.close())

  it('creates, reads, changes and deletes', async () => {
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    await compile('program.ts')
    const { useApi } = await import(join(folder, 'program.js'))
    expect(await useApi(server.url)).toEqual({
      names: ['Lamp'],
      first: 5,
      total: '1',
      changed: 6.5,
      company: 'Acme',
      nested: 3,
      replaced: 'Lamp 2',
      removed: {},
      gone: 404,
      theme: 'light',
      code: 'DUPLICATE_ID',
    })
  })

  it('refuses what the server does not know', async () => {
    const head = `import createClient from 'openapi-fetch'\nimport type { paths } from './api.js'\nconst client = createClient<paths>({})\n`
    const calls = [...WRONG, "client.GET('/products', {})"]
    await Promise.all(
      calls.map((call, n) => writeFile(join(folder, `call-${n}.ts`), `${head}void ${call}\n`)),
    )
    const found = await compile(...calls.map((_, n) => `call-${n}.ts`)).catch(String)
    expect(calls.filter((_, n) => found.includes(`call-${n}.ts`))).toEqual(WRONG)
  })
})

describe('ajv', () => {
  const Ajv = () => {
    const ajv = new (tools.require('ajv/dist/2020').default)({
      strict: true,
      allErrors: true,
      allowUnionTypes: true,
    })
    tools.require('ajv-formats').default(ajv)
    ajv.addKeyword('x-references')
    return ajv
  }

  it.each([
    ['of a shop', SHOP],
    ['with odd names', ODD],
  ])('finds that data %s fits the schema inferred from it', async (_, data) => {
    const api = await describeApi({ data, foreignKeySuffix: '_id' })
    const validate = Ajv().compile(await api.schema())
    expect([validate(data), validate.errors]).toEqual([true, null])
  })

  it('finds that random data fits the schema inferred from it, and that other data does not', async () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          null,
          true,
          1,
          1.5,
          'a',
          '',
          '2026-01-01',
          'ada@example.com',
          'https://example.com/x',
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x_id', 'token'), tie('value'), { maxKeys: 4 }),
      ),
    })).value
    const rows = fc.array(fc.dictionary(fc.constantFrom('id', 'a', 'b', 'xs'), value), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(rows, async (xs) => {
        const api = await describeApi({ data: { xs }, foreignKeySuffix: '_id' })
        const validate = Ajv().compile(await api.schema())
        expect([validate({ xs }), validate.errors]).toEqual([true, null])
        expect(validate({ xs: [...xs, 'not a row'] })).toBe(false)
      }),
      runs(40),
    )
  })

  it('finds every format that we find', () => {
    const ajv = Ajv()
    const texts = fc.oneof(
      fc.emailAddress(),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.uuid(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.stringMatching(/^[12]\d{3}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/),
      fc.stringMatching(/^[a-z.+@!'-]{1,20}@[a-z.-]{1,20}$/),
      fc.stringMatching(/^[a-z]{1,5}:\/\/[a-z.:/?#%&=0-9-]{1,20}$/),
    )
    let found = 0
    fc.assert(
      fc.property(texts, (text) => {
        const format = formatOf(text)
        if (format === undefined) return
        found++
        expect(ajv.validate({ type: 'string', format }, text), `${format}: ${text}`).toBe(true)
      }),
      runs(1000),
    )
    expect(found).toBeGreaterThan(200)
  })
})

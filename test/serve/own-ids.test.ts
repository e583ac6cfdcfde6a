import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { create, open, router } from '../../src/index.ts'
import { fileOf, folderOf } from '../support/folder.ts'
import { runs } from '../support/length.ts'

type Row = Record<string, unknown>
type Kind = 'companies' | 'products' | 'tags'

/** What fields are called: the ids of three resources, and a field beside them that is plain data. */
interface Names extends Readonly<Record<Kind, string>> {
  readonly other: string
}

const USUAL: Names = { companies: 'id', products: 'id', tags: 'id', other: 'other' }
/** The first is called as keys to it are. */
const OWN: Names = { companies: 'company_id', products: 'sku', tags: 'product_id', other: 'id' }

const KINDS = ['companies', 'products', 'tags'] as const

const RESOURCES = {
  companies: { id: OWN.companies },
  products: { id: OWN.products },
  tags: { id: OWN.tags },
}

/** A request, as the names of fields make it. */
interface Step {
  readonly method: string
  readonly path: (names: Names) => string
  readonly body?: ((names: Names) => unknown) | undefined
  readonly type?: string
  readonly session?: string | undefined
  readonly match?: string | undefined
}

const id = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom('a', 'b'))
const kind = fc.constantFrom(...KINDS)

const fields = fc.record(
  {
    name: fc.constantFrom('x', 'y', 'z'),
    size: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null)),
    company_id: fc.oneof(id, fc.constant(null)),
    product_ids: fc.uniqueArray(id, { maxLength: 3 }),
    other: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
)

interface Made {
  readonly of: Kind
  readonly fields: Row
  readonly id?: unknown
}

/** A row of a kind, which it names, so that it is known among others. */
function named({ of, fields: { other, company_id, ...rest }, id: own }: Made, names: Names): Row {
  return {
    ...(own !== undefined && { [names[of]]: own }),
    kind: of,
    ...rest,
    ...(company_id !== undefined && of !== 'companies' && { company_id }),
    ...(other !== undefined && { [names.other]: other }),
  }
}

/** An id that the server made up, where others are text. */
const MADE = /^[\w-]{7}\d*$/

/** The same in the names that all have, also of rows in rows. */
function usual(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => usual(one, names))
  if (typeof value === 'string') return MADE.test(value) ? '#made' : value
  if (typeof value !== 'object' || value === null) return value
  const of: Kind | undefined = Reflect.get(value, 'kind')
  // Of a parent that grew without an example, only the id is there.
  const own = of === undefined ? Object.keys(value)[0] : names[of]
  const name = (key: string) => (key === own ? '#id' : key === names.other ? '#other' : key)
  const entries = Object.entries(value).map(([key, inner]) => [name(key), usual(inner, names)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const made = (of: Kind) =>
  fc.record({ fields, id: fc.option(id, { nil: undefined }) }).map((row): Made => ({ of, ...row }))

/** Companies have no key to companies, which a field of that name would be, were it not their id. */
const ofCompany = fc.tuple(id, fc.constantFrom('', '_sort=')).map(
  ([one, sort]) =>
    (names: Names) =>
      `_expand=company&${sort}company.${names.companies}${sort === '' ? `=${one}` : ''}`,
)

const parameters = (of: Kind) =>
  fc.array(
    fc.oneof(
      id.map((one) => (names: Names) => `${names[of]}=${one}`),
      id.map((one) => (names: Names) => `${names[of]}_ne=${one}`),
      fc.tuple(id, id).map((ids) => (names: Names) => `${names[of]}_in=${ids}`),
      fc.tuple(id, id).map(
        ([a, b]) =>
          () =>
            `ids=${a}&ids=${b}`,
      ),
      id.map(
        (one) => (names: Names) => `_where=${JSON.stringify({ or: [{ [names[of]]: one }, { name: 'x' }] })}`,
      ),
      id.map((one) => (names: Names) => `filter=${JSON.stringify({ [names[of]]: [one, 1] })}`),
      fc.constantFrom('', '-').map((sign) => (names: Names) => `_sort=${sign}size,${sign}${names[of]}`),
      fc.constant((names: Names) => `_fields=kind,name,${names[of]}`),
      fc.constant((names: Names) => `_omit=${names.other}`),
      fc.constant((names: Names) => `${names.other}=2`),
      fc
        .constantFrom('company', 'companies', 'products', 'tags', 'products.tags')
        .map((one) => () => `_embed=${one}`),
      fc.constantFrom('company', 'product', 'products').map((one) => () => `_expand=${one}`),
      ...(of === 'companies' ? [] : [ofCompany]),
      fc.constantFrom('_page=1&_limit=2', '_limit=3', '_start=1&_end=3', 'q=x').map((one) => () => one),
    ),
    { maxLength: 3 },
  )

const item = fc.tuple(kind, id)

const NESTED = [
  ['companies', 'products'],
  ['companies', 'tags'],
  ['products', 'companies'],
  ['tags', 'products'],
] as const

const query = (of: Kind, from: string) =>
  parameters(of).map((all) => (names: Names) => `${from}?${all.map((each) => each(names)).join('&')}`)

const read: fc.Arbitrary<Step> = fc
  .oneof(
    kind.chain((of) => query(of, `/${of}`)),
    item.chain(([of, one]) => query(of, `/${of}/${one}`)),
    fc
      .tuple(fc.constantFrom(...NESTED), id)
      .chain(([[parent, of], one]) => query(of, `/${parent}/${one}/${of}`)),
    fc.constant(() => '/db'),
    fc.constant(() => '/__changes?since=0'),
  )
  .map((path) => ({ method: 'GET', path }))

const sent = (method: string, path: string, bodies: readonly Made[], isList = false): Step => ({
  method,
  path: () => path,
  body: (names) => (isList ? bodies.map((one) => named(one, names)) : named(bodies[0] as Made, names)),
})

const write: fc.Arbitrary<Step> = fc.oneof(
  kind.chain((of) => made(of).map((row) => sent('POST', `/${of}`, [row]))),
  kind.chain((of) =>
    fc.array(made(of), { minLength: 1, maxLength: 3 }).map((rows) => sent('POST', `/${of}`, rows, true)),
  ),
  fc
    .tuple(fc.constantFrom(...NESTED), id)
    .chain(([[parent, of], one]) => made(of).map((row) => sent('POST', `/${parent}/${one}/${of}`, [row]))),
  item.chain(([of, one]) =>
    fc
      .tuple(
        fc.constantFrom('PUT', 'PATCH'),
        fc.constantFrom('', '?_upsert=true'),
        made(of),
        fc.constantFrom(undefined, 'now', '"other"'),
      )
      .map(([method, upsert, row, match]) => ({ ...sent(method, `/${of}/${one}${upsert}`, [row]), match })),
  ),
  item.map(([of, one]) => ({
    method: 'PATCH',
    path: () => `/${of}/${one}`,
    type: 'application/json-patch+json',
    body: (names: Names) => [{ op: 'add', path: `/${names.other}`, value: 3 }],
  })),
  item.map(([of, one]) => ({
    method: 'PATCH',
    path: () => `/${of}/${one}`,
    type: 'application/json-patch+json',
    body: (names: Names) => [{ op: 'replace', path: `/${names[of]}`, value: 'b' }],
  })),
  item.chain(([of, one]) =>
    fc
      .constantFrom('', '?_dependent=products,tags')
      .map((rest) => ({ method: 'DELETE', path: () => `/${of}/${one}${rest}` })),
  ),
  kind.chain((of) => query(of, `/${of}`).map((path) => ({ method: 'DELETE', path }))),
  kind.chain((of) =>
    query(of, `/${of}`).map((path) => ({
      method: 'PATCH',
      path,
      body: (names: Names) => ({ [names.other]: 1, size: 2 }),
    })),
  ),
  kind.map((of) => ({ method: 'POST', path: () => '/__grow', body: () => ({ [of]: 2 }) })),
  fc.constantFrom('undo', 'redo', 'reset').map((what) => ({ method: 'POST', path: () => `/__${what}` })),
)

const step = fc
  .tuple(fc.oneof(read, write), fc.constantFrom(undefined, undefined, 'one'))
  .map(([one, session]): Step => ({ ...one, session }))

const rows = fc.tuple(
  ...KINDS.map((of) =>
    fc
      .uniqueArray(id, { maxLength: 5, comparator: (a, b) => String(a) === String(b) })
      .chain((ids) =>
        fc.tuple(...ids.map((own) => fields.map((row): Made => ({ of, fields: row, id: own })))),
      ),
  ),
)

type Ask = (path: string, init: RequestInit) => Promise<Response>

function dataOf(all: readonly (readonly Made[])[], names: Names): Record<string, Row[]> {
  return Object.fromEntries(KINDS.map((of, at) => [of, (all[at] ?? []).map((row) => named(row, names))]))
}

/** What is asked, and answered, in the names that all have. */
async function answered(ask: Ask, { method, path, body, type, session, match }: Step, names: Names) {
  const url = path(names)
  const headers = new Headers({ 'Content-Type': type ?? 'application/json' })
  if (session !== undefined) headers.set('X-Mock-Session', session)
  const tag = match === 'now' ? (await ask(url, { headers })).headers.get('etag') : match
  if (tag !== undefined && tag !== null) headers.set('If-Match', tag)
  const response = await ask(url, { method, headers, ...(body && { body: JSON.stringify(body(names)) }) })
  const data: unknown = await response.json()
  const { status } = response
  const [total, location] = ['x-total-count', 'location'].map((name) => response.headers.get(name))
  // Messages name fields, and changes have times.
  if (status >= 400) return { status, code: Reflect.get(Object(data), 'code') }
  return {
    status,
    total,
    location: location?.replace(/^.*\/([^/]+)$/, (_, own) => String(usual(own, names))),
    data: url.startsWith('/__') ? '' : usual(data, names),
  }
}

async function sameAnswers(asks: readonly [Ask, Ask], steps: readonly Step[]): Promise<void> {
  for (const each of steps) {
    const [one, other] = [await answered(asks[0], each, USUAL), await answered(asks[1], each, OWN)]
    expect(other, `${each.method} ${each.path(OWN)}`).toEqual(one)
  }
}

const SETTINGS = { foreignKeySuffix: '_id' } as const

type Data = ReturnType<typeof dataOf>
type Resources = Partial<typeof RESOURCES>

interface Opened {
  readonly ask: Ask
  close(): Promise<void>
}

async function opened(options: Parameters<typeof open>[0]): Promise<Opened> {
  const { fetch, close } = await open({ ...SETTINGS, ...options })
  return { ask: (path, init) => fetch(path, init), close }
}

async function routed(source: object, resources: Resources): Promise<Opened> {
  const app = create().use(router(source, { ...SETTINGS, resources, log: () => {} }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ask: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async close() {
      server.closeAllConnections()
      await promisify(server.close.bind(server))()
    },
  }
}

function folderFor({ companies = [], products = [], tags = [] }: Data): string {
  const lines = products.map((row) => `${JSON.stringify(row)}\n`).join('')
  const notes = tags.map((row) => `- ${JSON.stringify(row)} # ${row.kind}\n`).join('')
  return folderOf({ 'companies.json': companies, 'products.ndjson': lines, 'tags.yaml': notes || '[]' })
}

const STORES: Readonly<Record<string, (data: Data, resources: Resources) => Promise<Opened>>> = {
  memory: (data, resources) => opened({ data, live: false, resources }),
  'a live object': (data, resources) => opened({ data, resources }),
  'router()': routed,
  'a file': (data, resources) => opened({ source: fileOf(data), resources }),
  'a folder of files': (data, resources) => opened({ source: `${folderFor(data)}/`, resources }),
}

it.each(Object.entries(STORES))(
  'resources whose ids have three other names answer as those with `id`, from %s',
  async (name, openStore) => {
    const isRouter = name === 'router()'
    await fc.assert(
      fc.asyncProperty(rows, fc.array(step, { minLength: 4, maxLength: 12 }), async (all, steps) => {
        const asked = isRouter ? steps.filter(({ path }) => !path(USUAL).startsWith('/__')) : steps
        const apis = [
          await openStore(dataOf(all, USUAL), {}),
          await openStore(dataOf(all, OWN), RESOURCES),
        ] as const
        await sameAnswers([apis[0].ask, apis[1].ask], asked).finally(() =>
          Promise.all(apis.map((api) => api.close())),
        )
      }),
      runs(name === 'memory' ? 25 : 8, 300),
    )
    expect.hasAssertions()
  },
)

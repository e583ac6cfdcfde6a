import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../src/core/kernel/catalogue/errors.ts'
import { OPERATOR_NAMES } from '../../../../src/core/kernel/catalogue/operators.ts'
import { PARAMETER_NAMES } from '../../../../src/core/kernel/catalogue/parameters.ts'
import { endpointsIn } from '../../../../src/features/feature.ts'
import { FEATURES } from '../../../../src/features/list.ts'
import {
  describeApi,
  type OpenApiDocument,
  type ResourcesSettings,
  type RunningServer,
  type StartOptions,
  start,
} from '../../../../src/index.ts'
import { codesIn } from '../../../support/docs/markdown.ts'
import { folderOf } from '../../../support/folder.ts'
import { pageAt, rowsWith } from '../../../support/page/pages.ts'

const DATA = {
  products: [
    { id: 1, name: 'Desk', price: 9.5, tags: ['new'], size: { width: 2 }, company_id: 1 },
    { id: 2, name: 'Lamp', price: 1, tags: [], company_id: 1 },
  ],
  companies: [{ id: 1, name: 'Acme' }],
  profile: { theme: 'dark' },
}
const RESOURCES: ResourcesSettings = {
  products: {
    schema: { required: ['name'] },
    unique: ['name'],
    references: { company_id: { resource: 'companies', onDelete: 'restrict' } },
  },
}
/** Sign-in, and rules who may do what. */
const ACCOUNTS = {
  middlewares: ['accounts'],
  accounts: { cookies: true, persona: true },
  resources: {
    products: { access: { read: 'anyone', create: 'signed-in', update: 'owner', delete: 'role:admin' } },
    companies: { access: { read: ['owner', 'role:admin'], create: 'role:admin' } },
    profile: { access: { read: 'signed-in', update: 'nobody' } },
  },
} satisfies StartOptions
const USERS = [
  { id: 1, email: 'ada@example.com', password: 'lovelace', role: 'admin' },
  { id: 2, email: 'alan@example.com', password: 'bletchley' },
]
const GUARDS = ['rate-limit', 'api-key', 'bearer', 'jwt'] as const

let folder: string
/** With everything that can be switched on, and without what that replaces. */
let documents: readonly OpenApiDocument[]
beforeAll(async () => {
  folder = folderOf()
  const everything = {
    snapshots: folder,
    middlewares: [...GUARDS],
    upsert: true,
    strict: true,
    allowedHosts: ['shop.test'],
    allowedOrigins: ['http://shop.test'],
    resources: RESOURCES,
    logic: { 'POST /own': () => ({}) },
    proxy: { target: 'http://shop.test' },
  }
  await writeFile(join(folder, 'routes.json'), '{ "/firms/:firm/full": "/companies/:firm?_embed=products" }')
  const all = [
    {},
    { snapshots: folder },
    { uploads: true },
    { scenarios: { late: { clock: '+30d' } } },
    { readOnly: true },
    { shape: 'drf' },
    ACCOUNTS,
    everything,
  ]
  documents = await Promise.all(all.map(documentOf))
})

async function documentOf(options: StartOptions): Promise<OpenApiDocument> {
  const data = structuredClone({ ...DATA, ...(options.accounts && { users: USERS }) })
  return (await describeApi({ data, foreignKeySuffix: '_id', ...options })).openapi()
}

/** The names of all parameters, in whichever document. */
function parameterNames(): readonly string[] {
  return documents.flatMap(({ components }) =>
    Object.values(Object(components.parameters)).map((parameter) =>
      String(Reflect.get(Object(parameter), 'name')),
    ),
  )
}

/** Every TypeScript file of the server. */
function sources(under: string): string[] {
  return readdirSync(under, { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name)
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : []
  })
}

describe('the document forgets no', () => {
  /** Words that are known, but mean nothing yet, or nothing to anybody but jQuery. */
  const WITHOUT_MEANING = ['_', '_before']

  it.each(PARAMETER_NAMES.filter((word) => !WITHOUT_MEANING.includes(word)))(
    'known parameter: %s',
    (word) => {
      expect(parameterNames()).toContain(word)
    },
  )

  it.each(WITHOUT_MEANING)('parameter that starts to mean something: %s', (word) => {
    expect(pageAt('docs/queries.md').text).not.toContain(`\`${word}\``)
  })

  /** A parameter for each of these would say nothing new. */
  const SAID = new Map([
    ['field:operator', '`price:gt` is `price_gt`'],
    ['a.b_operator', '"size.width_gt"'],
    ['a.0.b', '"size.width"'],
    ['parent.field', '`company.name_like`'],
    ['-', '`-price` sorts down'],
  ])

  it.each(rowsWith('ids', pageAt('docs/queries.md')).flatMap(([cell]) => codesIn(cell)))(
    'parameter of the docs: %s',
    (name) => {
      const said = SAID.get(name)
      if (said !== undefined) expect(JSON.stringify(documents[0])).toContain(said)
      else expect(parameterNames()).toContain(name.replace(/^field/, 'name').replace(/^a\.b$/, 'size.width'))
    },
  )

  it.each(OPERATOR_NAMES)('operator: %s', (operator) => {
    expect(parameterNames()).toEqual(expect.arrayContaining([expect.stringMatching(`_${operator}$`)]))
  })

  it.each(endpointsIn(FEATURES).map(({ method, path, id }) => [method, path, id]))(
    'endpoint: %s %s',
    (method, path, id) => {
      const ids = documents.map(({ paths }) => paths[path]?.[method]?.operationId)
      expect(ids).toContainEqual(expect.stringMatching(`^${id}\\d*$`))
    },
  )

  it.each([...new Set(sources('src').filter(isOfTheServer).flatMap(pathsNamedIn))])('path: %s', (path) => {
    const known = documents.flatMap(({ paths }) => Object.keys(paths))
    expect(known).toContain(path)
  })

  /** What no operation can answer with. */
  const OUTSIDE: readonly string[] = [
    // The HTTP parser refuses before there is a path.
    ...['MALFORMED_REQUEST', 'SERVER_CLOSED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'EXPECTATION_FAILED'],
    // Only code of the user's own can cause it, and a shape.
    'CONFLICT',
    // Only a database as the source can.
    'SOURCE_UNAVAILABLE',
    // Then there are no such paths.
    ...['SNAPSHOTS_DISABLED', 'READ_ONLY'],
  ]

  it.each(Object.keys(ERRORS).filter((code) => !OUTSIDE.includes(code)))('error: %s', (code) => {
    expect(JSON.stringify(documents)).toContain(`\`${code}\``)
  })
})

describe('the docs forget no', () => {
  const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith('.md'),
  )
  const text = pages.map((name) => readFileSync(name, 'utf8')).join('\n')

  it.each([...new Set(endpointsIn(FEATURES).map(({ path }) => path.replace(/\/\{.*$/, '')))])(
    'endpoint: %s',
    (path) => {
      expect(text).toContain(path)
    },
  )
})

/** The page at `/` is for people: its other address, and its assets. */
const FOR_PEOPLE = ['src/serve/home-page.ts', 'src/page/']

function isOfTheServer(file: string): boolean {
  return ![...FOR_PEOPLE, 'src/wings/schemas/'].some((place) => file.startsWith(place))
}

/** `/__schema/{resource}` of `'/__schema/:resource'`, outside of comments. */
function pathsNamedIn(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
  return [...code.matchAll(/'(\/__[\w./:-]*\w)'/g)].map(([, path = '']) => path.replace(/:(\w+)/g, '{$1}'))
}

describe('a server', { timeout: 60_000 }, () => {
  const METHODS = ['get', 'post', 'put', 'patch', 'delete']

  it.each<[string, (folder: string) => StartOptions, user?: string]>([
    ['on its own', () => ({})],
    ['with snapshots and a rule', (folder) => ({ snapshots: folder, routes: join(folder, 'routes.json') })],
    ['that creates what is put', () => ({ upsert: true, strict: true })],
    ['with rules', () => ({ resources: RESOURCES })],
    ['that is read-only', (folder) => ({ readOnly: true, snapshots: folder })],
    [
      'that is read-only, with logins,',
      () => ({ readOnly: true, middlewares: ['jwt'], jwt: { users: [{ email: 'a@b.c', password: 'x' }] } }),
    ],
    [
      'that is read-only, with accounts, to an admin,',
      (folder) => ({ ...ACCOUNTS, readOnly: true, snapshots: folder }),
      'ada@example.com',
    ],
    ['with accounts, to nobody,', (folder) => ({ ...ACCOUNTS, snapshots: folder })],
    ['with accounts, to a user,', (folder) => ({ ...ACCOUNTS, snapshots: folder }), 'alan@example.com'],
    ['with accounts, to an admin,', (folder) => ({ ...ACCOUNTS, snapshots: folder }), 'ada@example.com'],
  ])('%s has each method of the document, no other, and answers as it says', async (_, optionsIn, user) => {
    const options = optionsIn(folder)
    const { paths } = await documentOf(options)
    // A read-only server refuses all that it does not describe, and accounts do not tell strangers what there is.
    const refusals = options.readOnly
      ? [403, ...(options.middlewares ? [404] : [])]
      : options.accounts
        ? [404, 401, 403]
        : [404]
    const wrong: string[] = []
    let server: RunningServer | undefined
    for (const [path, item] of Object.entries(paths)) {
      const data = structuredClone({ ...DATA, ...(options.accounts && { users: USERS }) })
      server ??= await start({ data, foreignKeySuffix: '_id', ...options })
      let isChanged = false
      for (const method of METHODS) {
        const status = await statusOf(`${server.url}${filled(path)}`, method, user)
        const told = item[method]?.responses
        const isRight = told ? Object.hasOwn(told, status) : refusals.includes(status)
        if (!isRight) wrong.push(`${method} ${path}: ${status}`)
        if (method !== 'get' && status < 300) isChanged = true
      }
      if (!isChanged) continue
      await server.close()
      server = undefined
    }
    await server?.close()
    expect(wrong).toEqual([])
  })
})

async function statusOf(url: string, method: string, user?: string): Promise<number> {
  const isRead = method === 'get' || method === 'delete'
  const headers = {
    ...(!isRead && { 'Content-Type': 'application/json' }),
    ...(user && { 'X-Mock-User': user }),
  }
  const sent = isRead ? {} : { body: '{"name":"x"}' }
  const response = await fetch(url, { method: method.toUpperCase(), headers, ...sent })
  await response.body?.cancel()
  return response.status
}

/** A path of the document with real values in the place of its parameters. */
function filled(path: string): string {
  return path
    .replace('__snapshots__/{id}', '__snapshots__/db-1700000000000')
    .replace('{resource}', 'products')
    .replace(/\{\w+\}/g, '1')
}

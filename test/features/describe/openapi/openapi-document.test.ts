import { describe, expect, it } from 'vitest'
import { compileRule } from '../../../../src/core/layers/parts/rewrite-rule.ts'
import {
  MOST_RESOURCES,
  type OpenApiDocument,
  openApiDocument,
} from '../../../../src/features/describe/openapi/openapi-document.ts'
import type { ApiSettings } from '../../../../src/features/describe/openapi/settings.ts'
import { documented } from '../../../../src/features/feature.ts'
import { FEATURES } from '../../../../src/features/list.ts'
import { resolveConfig } from '../../../../src/features/settings.ts'
import { modelOf, SETTINGS } from '../../../support/describable.ts'

const DATA = {
  products: [
    { id: 1, name: 'Desk', price: 1.5, company_id: 1, size: { width: 2 }, parts: [{ kind: 'leg' }] },
  ],
  companies: [{ id: 1, password: 'hunter2', q: 1, name_like: 'x', name: 'y' }],
  profile: { name: 'Ada' },
}
const layer = (name: string, settings: object = {}) => ({
  name,
  kind: 'built-in' as const,
  settings: { ...settings },
})

type Asked = Partial<ApiSettings> & { readonly snapshots?: boolean; readonly faults?: boolean }

async function documentOf(
  { snapshots, faults = false, ...settings }: Asked = {},
  data: object = DATA,
): Promise<OpenApiDocument> {
  const { layers = [], sessions = false } = settings
  const config = resolveConfig({
    middlewares: layers.filter(({ kind }) => kind === 'built-in').map(({ name }) => name),
    noFaults: !faults,
    ...(!sessions && { sessions }),
    ...(snapshots && { snapshots: 'snapshots' }),
  })
  const described = documented(FEATURES, config)
  return openApiDocument(await modelOf({ ...data }), { ...SETTINGS, ...described, ...settings })
}

function operation({ paths }: OpenApiDocument, path: string, method: string) {
  const found = paths[path]?.[method]
  if (!found) throw new Error(`There is no ${method} ${path}`)
  return found
}

/** The names of an operation's parameters. */
function parameters(document: OpenApiDocument, path: string, method: string): string[] {
  return (operation(document, path, method).parameters ?? []).map((parameter) => {
    const name = '$ref' in parameter ? String(parameter.$ref).split('/').at(-1) : undefined
    const found = name === undefined ? parameter : Reflect.get(Object(document.components.parameters), name)
    return String(Reflect.get(Object(found), 'name'))
  })
}

/** The codes that an operation may answer with, by status. */
function codes(document: OpenApiDocument, path: string, method: string): Record<string, string> {
  const { responses } = operation(document, path, method)
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      const name = '$ref' in response ? String(response.$ref).split('/').at(-1) : undefined
      if (Number(status) < 400 || name === undefined) return []
      return [
        [
          status,
          String(Reflect.get(Object(Reflect.get(document.components.responses ?? {}, name)), 'description')),
        ],
      ]
    }),
  )
}

const methods = (document: OpenApiDocument) =>
  Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item).join(' ')]),
  )

describe('the OpenAPI document', () => {
  it('has every path with its methods', async () => {
    expect(methods(await documentOf())).toEqual({
      '/products': 'get post patch delete',
      '/products/{id}': 'get put patch delete',
      '/companies': 'get post patch delete',
      '/companies/{id}': 'get put patch delete',
      '/companies/{id}/products': 'get post patch delete',
      '/companies/{id}/products/{childId}': 'get put patch delete',
      '/profile': 'get post put patch',
      '/db': 'get',
      '/health-check': 'get',
      '/stats': 'get',
      '/__service': 'get',
      '/__rules': 'get',
      '/__schema': 'get',
      '/__schema/{resource}': 'get',
      '/__openapi': 'get',
      '/__openapi.json': 'get',
      '/__clock': 'get put delete',
      '/__clock/advance': 'post',
      '/__events': 'get',
      '/__grow': 'post',
      '/__history': 'get',
      '/__changes': 'get',
      '/__undo': 'post',
      '/__redo': 'post',
      '/__requests': 'get delete',
      '/__reset': 'post',
      '/__resources': 'post',
    })
  })

  it.each<[string, Asked, Record<string, string>]>([
    [
      'nothing that writes where all is read-only, but a login',
      { readOnly: true, snapshots: true, layers: [layer('jwt')] },
      {
        '/products': 'get',
        '/products/{id}': 'get',
        '/companies/{id}/products': 'get',
        '/profile': 'get',
        '/__snapshots__': 'get',
        '/__snapshots__/{id}': 'get',
        '/login': 'post',
      },
    ],
    [
      'snapshots where they are kept',
      { snapshots: true },
      { '/__snapshots__': 'get post', '/__snapshots__/{id}': 'get put delete' },
    ],
    ['a login where there is one', { layers: [layer('jwt')] }, { '/login': 'post', '/auth/login': 'post' }],
  ])('has %s', async (_, settings, paths) => {
    expect(methods(await documentOf(settings))).toMatchObject(paths)
  })

  it('has of accounts what changes no row where all is read-only', async () => {
    const document = await documentOf({ readOnly: true, layers: [layer('accounts')] })
    expect(methods(document)).toMatchObject({
      '/login': 'post',
      '/refresh': 'post',
      '/logout': 'post',
      '/me': 'get',
    })
    for (const path of ['/register', '/__undo']) expect(Object.keys(document.paths)).not.toContain(path)
  })

  it('leaves a path to the resource of that name', async () => {
    const document = await documentOf({}, { stats: [{ id: 1 }], 'health-check': { ok: true } })
    expect(operation(document, '/stats', 'get').tags).toEqual(['stats'])
    expect(operation(document, '/health-check', 'get').tags).toEqual(['health-check'])
  })

  it('says what each operation does, as people would', async () => {
    const rows = [{ id: 1, agent_id: 1, user_id: 1 }]
    const { paths } = await documentOf(
      {},
      { tickets: rows, agents: rows, users: rows, hours: rows, news: rows },
    )
    const summaries = (path: string) => Object.values(paths[path] ?? {}).map(({ summary }) => summary)
    expect(summaries('/tickets')).toEqual([
      'List tickets',
      'Create a ticket',
      'Change fields of all tickets that match',
      'Delete all tickets that match',
    ])
    expect(summaries('/agents/{id}')).toEqual([
      'Get an agent',
      'Replace an agent',
      'Change fields of an agent',
      'Delete an agent',
    ])
    expect(summaries('/users/{id}')[0]).toBe('Get a user')
    expect(summaries('/hours/{id}')[0]).toBe('Get an hour')
    // There is no word for one of them.
    expect(summaries('/news/{id}')[0]).toBe('Get one of news')
    expect(summaries('/news')[1]).toBe('Create one of news')
    expect(summaries('/agents/{id}/tickets')).toEqual([
      'List tickets of an agent',
      'Create a ticket for an agent',
      'Change fields of all tickets of an agent that match',
      'Delete all tickets of an agent that match',
    ])
    expect(summaries('/agents/{id}/tickets/{childId}')[0]).toBe('Get a ticket of an agent')
  })

  it('has no two operations of one id', async () => {
    const document = await documentOf(
      {},
      { ...DATA, product: {}, company_products: [{ id: 1 }], Products: [] },
    )
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    [
      '/products',
      'get',
      'q _sort _order _page _limit _start _end _embed _expand _delay callback If-None-Match _where _per_page',
    ],
    ['/products', 'get', '_fields _omit _strict _explain ids filter range sort embed _filters Prefer'],
    ['/products/{id}', 'get', 'id _embed _expand _delay callback If-None-Match _fields _omit _strict Prefer'],
    ['/products/{id}', 'delete', 'id _dependent _delay If-Match Prefer'],
    ['/products/{id}', 'put', 'id _upsert If-Match If-None-Match'],
    ['/products', 'patch', 'price_lt _where _all Prefer filter _filters ids'],
    ['/companies/{id}/products/{childId}', 'put', 'id childId If-Match If-None-Match'],
    ['/profile', 'put', 'If-Match If-None-Match Prefer'],
    ['/companies/{id}/products/{childId}', 'get', 'id childId _expand'],
    ['/products', 'post', '_delay'],
    ['/profile', 'get', '_delay callback If-None-Match'],
  ])('has the parameters of %s %s', async (path, method, names) => {
    expect(parameters(await documentOf(), path, method)).toEqual(expect.arrayContaining(names.split(' ')))
  })

  it.each<[string, Asked, string, string, string]>([
    [
      '_dependent where all dependents go anyway',
      { cascade: true },
      '/products/{id}',
      'delete',
      '_dependent',
    ],
    ['callback where there is no JSONP', { jsonp: false }, '/products', 'get', 'callback'],
  ])('has no %s', async (_, settings, path, method, name) => {
    const document = await documentOf(settings)
    expect(parameters(document, path, method)).not.toContain(name)
    expect(Object.keys(document.components.parameters ?? {})).not.toContain(name)
  })

  it.each([
    [
      '_upsert below a parent, where nothing is created',
      '/companies/{id}/products/{childId}',
      'put',
      '_upsert',
    ],
    ['_fields of a write', '/products/{id}', 'patch', '_fields'],
    ['_sort of rows to delete', '/products', 'delete', '_sort'],
    ['If-None-Match of a PATCH', '/products/{id}', 'patch', 'If-None-Match'],
    ['_strict of an object', '/profile', 'get', '_strict'],
  ])('has no %s', async (_, path, method, name) => {
    expect(parameters(await documentOf(), path, method)).not.toContain(name)
  })

  it.each(['_upsert', '_strict'])('says what %s turns on, and what off', async (name) => {
    const { parameters = {} } = (await documentOf()).components
    expect(Reflect.get(Object(Reflect.get(parameters, name)), 'description')).toMatch(/`true`: .*`false`: /)
  })

  it('tells that a PUT may create an item, and where it then is', async () => {
    const document = await documentOf()
    const { responses } = operation(document, '/products/{id}', 'put')
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '201']))
    expect(JSON.stringify(responses[201])).toContain('headers/Location')
    expect(JSON.stringify(responses[200])).not.toContain('headers/Location')
    expect(operation(document, '/companies/{id}/products/{childId}', 'put').responses).not.toHaveProperty(
      '201',
    )
  })

  it.each([
    ['/products/{id}', 'patch', '204'],
    ['/products', 'delete', '204'],
    ['/products', 'post', '201'],
  ])('tells what a minimal answer to %s %s is: %s', async (path, method, status) => {
    const found = Object.keys(operation(await documentOf(), path, method).responses)
    expect(found.filter((one) => ['201', '204'].includes(one))).toEqual([status])
  })

  it.each(['/products/{id}', '/products', '/profile', '/companies/{id}/products'])(
    'takes both formats of patches for %s',
    async (path) => {
      const { requestBody } = operation(await documentOf(), path, 'patch')
      expect(Object.keys(Object(requestBody).content)).toEqual([
        'application/json',
        'application/merge-patch+json',
        'application/json-patch+json',
      ])
    },
  )

  it('has a filter for each field, nested ones too, with what suits its kind', async () => {
    const names = parameters(await documentOf(), '/products', 'get')
    expect(names).toEqual(expect.arrayContaining(['name', 'name_ne', 'name_gte', 'name_like', 'price_lte']))
    expect(names).toEqual(expect.arrayContaining(['size.width', 'size.width_gte', 'parts.kind_like']))
    expect(names).toEqual(expect.arrayContaining(['price_gt', 'price_between', 'name_contains', 'name_null']))
    expect(names).not.toContain('price_like')
    expect(new Set(names).size).toBe(names.length)
  })

  it('has the filters that look at the entries of a list of plain values', async () => {
    const document = await documentOf({}, { posts: [{ id: 1, tags: ['a'], ratings: [1], days: [] }] })
    const names = parameters(document, '/posts', 'get')
    expect(names.filter((name) => /^(tags|ratings|days)/.test(name))).toEqual([
      ...['tags_contains', 'tags_in', 'ratings_in', 'tags_nin', 'ratings_nin', 'tags_null', 'ratings_null'],
    ])
  })

  it('does not take a word of the query language for a filter, nor a field for an operator', async () => {
    const names = parameters(await documentOf(), '/companies', 'get')
    expect(names.filter((name) => name === 'q')).toHaveLength(1)
    expect(names.filter((name) => name === 'name_like')).toHaveLength(1)
    expect(names).toContain('name_like_ne')
  })

  it('lets newer words give way to a field of that name, and the old ones not', async () => {
    const document = await documentOf({}, { rows: [{ id: 1, sort: 1, _where: 'x', _page: 3 }] })
    const { components } = document
    const filters = Object.entries(Object(components.parameters)).filter(([key]) => key.startsWith('filter-'))
    const own = filters.map(([, filter]) => Reflect.get(Object(filter), 'name'))
    expect(own).toEqual(expect.arrayContaining(['sort', '_where']))
    expect(own).not.toContain('_page')
    const names = parameters(document, '/rows', 'get')
    expect(new Set(names).size).toBe(names.length)
  })

  it('shows rows of the data, without secrets', async () => {
    const text = JSON.stringify(await documentOf())
    expect(text).toContain('"Desk"')
    expect(text).not.toContain('hunter2')
    expect(text).toContain('"password":"***"')
  })

  it('tells what is attached by relations', async () => {
    const { responses } = operation(await documentOf(), '/products/{id}', 'get')
    expect(JSON.stringify(responses[200])).toContain('"company":{"$ref":"#/components/schemas/Company"}')
    const { responses: lists } = operation(await documentOf(), '/companies', 'get')
    expect(JSON.stringify(lists[200])).toContain('"products":{"type":"array"')
  })

  it('leads all of its references somewhere', async () => {
    const settings = {
      snapshots: true,
      layers: [layer('api-key'), layer('jwt'), layer('rate-limit'), layer('delay')],
    }
    for (const document of [
      await documentOf(),
      await documentOf(settings),
      await documentOf({ readOnly: true }),
    ]) {
      const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
      const lost = refs.filter(([, part = '', name = '']) => !(name in Object(document.components[part])))
      expect(refs.length).toBeGreaterThan(20)
      expect(lost.map(([ref]) => ref)).toEqual([])
    }
  })

  it('describes a bounded number of resources, and says how many it left out', async () => {
    const data = Object.fromEntries(
      Array.from({ length: MOST_RESOURCES + 2 }, (_, n) => [`c${n}`, [{ id: 1 }]]),
    )
    const document = await documentOf({}, data)
    expect(Object.keys(document.paths)).toHaveLength(MOST_RESOURCES * 2 + 20)
    expect(JSON.stringify(document.info)).toContain('2 more resources')
  })
})

describe('the errors in the document', () => {
  it.each([
    ['/products', 'get', '400', 'INVALID_QUERY'],
    ['/products', 'post', '400', 'MALFORMED_JSON'],
    ['/products', 'post', '409', 'DUPLICATE_ID'],
    ['/products', 'post', '413', 'BODY_TOO_LARGE'],
    ['/products/{id}', 'patch', '503', 'WRITE_FAILED'],
    ['/products/{id}', 'put', '412', 'PRECONDITION_FAILED'],
    ['/products/{id}', 'patch', '422', 'INVALID_PATCH'],
    ['/products', 'delete', '400', 'INVALID_QUERY'],
    ['/products/{id}', 'get', '404', 'Not found'],
    ['/companies/{id}/products', 'post', '404', 'Not found'],
    ['/products/{id}', 'get', '400', 'INVALID_QUERY'],
    ['/products', 'patch', '409', 'PATCH_TEST_FAILED'],
    ['/profile', 'patch', '422', 'INVALID_PATCH'],
  ])('of %s %s are told: %s %s', async (path, method, status, code) => {
    expect(codes(await documentOf(), path, method)[status]).toContain(code)
  })

  it.each<[string, Asked, string, string, string, string]>([
    ['of the API key', { layers: [layer('api-key')] }, '/products', 'get', '401', 'API_KEY_MISSING'],
    [
      'of a key that may only read',
      { layers: [layer('api-key')] },
      '/products',
      'post',
      '403',
      'FORBIDDEN_WRITE',
    ],
    ['of a key that may not read', { layers: [layer('api-key')] }, '/db', 'get', '403', 'AUTH_FORBIDDEN'],
    ['of snapshots', { snapshots: true }, '/__snapshots__/{id}', 'put', '422', 'INVALID_SNAPSHOT'],
    ['of missing snapshots', { snapshots: true }, '/__snapshots__/{id}', 'get', '404', 'SNAPSHOT_NOT_FOUND'],
    ['of the bearer token', { layers: [layer('bearer')] }, '/db', 'get', '403', 'AUTH_FORBIDDEN'],
    ['of tokens, for writes', { layers: [layer('jwt')] }, '/products', 'post', '401', 'AUTH_REQUIRED'],
    ['of the rate limit', { layers: [layer('rate-limit')] }, '/stats', 'get', '429', 'RATE_LIMIT_EXCEEDED'],
    [
      'of closed doors',
      { originChecks: { hosts: true, origins: false } },
      '/db',
      'get',
      '403',
      'HOST_NOT_ALLOWED',
    ],
  ])('are there with their guard: those %s', async (_, settings, path, method, status, code) => {
    expect(codes(await documentOf(settings), path, method)[status]).toContain(code)
    expect(JSON.stringify(await documentOf())).not.toContain(`\`${code}\``)
  })

  it('of tokens are not there for those who only read', async () => {
    const document = await documentOf({ layers: [layer('jwt')] })
    expect(codes(document, '/products', 'get')).not.toHaveProperty('401')
    expect(operation(document, '/products', 'get').security).toEqual([])
    expect(operation(document, '/products', 'post').security).toEqual([{ jwt: [] }])
    expect(operation(document, '/login', 'post').security).toEqual([])
  })
})

describe('guards in the document', () => {
  it('stand together in front of what is not public', async () => {
    const layers = [
      layer('api-key', { publicRoutes: ['/stats'] }),
      layer('bearer', { publicRoutes: ['/stats', '/db'] }),
    ]
    const document = await documentOf({ layers })
    expect(operation(document, '/products', 'get').security).toEqual([{ 'api-key': [], bearer: [] }])
    expect(operation(document, '/db', 'get').security).toEqual([{ 'api-key': [] }])
    expect(operation(document, '/stats', 'get').security).toEqual([])
    expect(codes(document, '/stats', 'get')).not.toHaveProperty('401')
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['api-key', 'bearer'])
  })

  it('tell of files that may do anything', async () => {
    const document = await documentOf({ layers: [{ name: 'mine.js', kind: 'file', settings: {} }] })
    expect(JSON.stringify(document.info)).toContain('mine.js')
  })
})

describe('rewrite rules in the document', () => {
  const withRules = (rules: Record<string, string>, layers: ApiSettings['layers'] = []) => {
    const rewrites = Object.entries(rules).map(([pattern, target]) => compileRule(pattern, target))
    const rewrite = (url: string) => rewrites.reduce((seen, rule) => rule(seen)?.url ?? seen, url)
    return documentOf({ rewrites: rules, rewrite, layers })
  }

  it('are a server where they lead to everything', async () => {
    const { servers } = await withRules({ '/api/v1/*': '/$1', '/other/*': '/products/$1' })
    expect(servers.map(({ url }) => url)).toEqual(['http://localhost:3000', 'http://localhost:3000/api/v1'])
  })

  it('are paths with parameters of their own names', async () => {
    const document = await withRules({
      '/firms/:firm/full': '/companies/:firm?_embed=products',
      '/find/:term': '/products?name_like=:term',
      '/first': '/products/1',
      '/nowhere/:a': '/nothing/:a/at/all',
      '/odd/:a(\\d+)': '/products/:a',
      '/products/:key': '/products/:key?_expand=company',
    })
    expect(methods(document)).toMatchObject({
      '/firms/{firm}/full': 'get put patch delete',
      '/find/{term}': 'get post patch delete',
      '/first': 'get put patch delete',
    })
    expect(Object.keys(document.paths)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/nowhere|odd|key/)]),
    )
    expect(parameters(document, '/firms/{firm}/full', 'get')).toContain('firm')
    expect(parameters(document, '/firms/{firm}/full', 'get')).not.toContain('id')
    expect(parameters(document, '/first', 'get')).not.toContain('id')
    expect(operation(document, '/find/{term}', 'get').description).toBe(
      'The same as `/products?name_like={term}`.',
    )
  })

  it('lead to public paths that their targets are not', async () => {
    const guard = layer('api-key', { publicRoutes: ['/health', '/public/products'] })
    const document = await withRules({ '/public/*': '/$1', '/health': '/health-check' }, [guard])
    expect(operation(document, '/health', 'get').security).toEqual([])
    expect(operation(document, '/public/products', 'get').security).toEqual([])
    expect(codes(document, '/public/products', 'get')).not.toHaveProperty('401')
    expect(operation(document, '/products', 'get').security).toEqual([{ 'api-key': [] }])
  })
})

import { describe, expect, it } from 'vitest'
import { describeData } from '../../../src/features/import/describe-data.ts'
import { fits, json, listOf, ok, ref, serveDescribed } from '../../support/described.ts'

const PET = {
  type: 'object',
  required: ['name', 'photoUrls'],
  properties: {
    id: { type: 'integer', format: 'int64', example: 10 },
    name: { type: 'string', example: 'doggie' },
    photoUrls: { type: 'array', items: { type: 'string' } },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
  },
}

/** As people write a pet store in Swagger 2.0. */
const STORE_2 = {
  swagger: '2.0',
  info: { title: 'Store', version: '1' },
  host: 'store.example.com',
  basePath: '/v2',
  produces: ['application/json', 'application/xml'],
  paths: {
    '/pet': {
      post: {
        parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/Pet' } }],
        responses: { 405: { description: 'Invalid input' } },
      },
      put: { responses: { 400: { description: 'Invalid id' } } },
    },
    '/pet/findByStatus': {
      get: { responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } } } },
    },
    '/pet/{petId}': {
      get: { responses: { 200: { schema: { $ref: '#/definitions/Pet' } }, 404: {} } },
      delete: { responses: { 404: {} } },
    },
    '/store/order': {
      post: {
        parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/Order' } }],
        responses: { 200: { schema: { $ref: '#/definitions/Order' } } },
      },
    },
    '/store/order/{orderId}': {
      get: { responses: { 200: { schema: { $ref: '#/definitions/Order' } } } },
      delete: { responses: { 404: {} } },
    },
    '/store/report': {
      get: { produces: ['application/xml'], responses: { 200: { schema: { type: 'string' } } } },
    },
  },
  securityDefinitions: { api_key: { type: 'apiKey', in: 'header', name: 'api_key' } },
  definitions: {
    Pet: PET,
    Order: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        petId: { type: 'integer' },
        quantity: { type: 'integer', minimum: 1, maximum: 9 },
        shipDate: { type: 'string', format: 'date-time' },
        note: { type: 'string', 'x-nullable': true },
      },
    },
  },
}

describe('a pet store in Swagger 2.0', () => {
  it('is served at its own paths', async () => {
    const { ask, data, report } = await serveDescribed(STORE_2)
    expect(Object.keys(data)).toEqual(['pet', 'order'])
    const pet = await ask('/v2/pet/10')
    expect(pet.status).toBe(200)
    expect(pet.body).toMatchObject({ id: 10, name: 'doggie' })
    const orders = (await ask('/v2/store/order')).body
    expect(orders).toHaveLength(10)
    const ids = (await ask('/v2/pet')).body.map(({ id }: { id: number }) => id)
    for (const order of orders) expect(ids).toContain(order.petId)
    const created = await ask('/v2/pet', { method: 'POST', json: { name: 'Rex', photoUrls: [] } })
    expect(created.status).toBe(201)
    expect((await ask('/v2/store/order/1', { method: 'DELETE' })).status).toBe(200)
    const { all, used, unused } = report.operations
    expect([all, used, unused]).toEqual([9, 6, 3])
    expect(report.unused).toEqual([
      { place: 'paths./pet.put', why: 'it is about no rows, and answers are not kept whole' },
      { place: 'paths./pet/findByStatus.get', why: 'it is about no rows, and answers are not kept whole' },
      { place: 'paths./store/report.get', why: 'XML only' },
      { place: 'security.api_key', why: 'nothing is guarded; the layer api-key would do that' },
    ])
  })

  it('gives the same rows for the same seed, and others for another', async () => {
    const made = async (seed: number) => JSON.stringify(await describeData(STORE_2, 'openapi.json', { seed }))
    expect(await made(7)).toBe(await made(7))
    expect(await made(7)).not.toBe(await made(8))
  })

  it('gives only examples, if no rows are wanted', async () => {
    const { data } = await describeData(STORE_2, 'openapi.json', { rows: 0 })
    expect(data.order).toEqual([])
    expect(data.pet).toMatchObject([{ id: 10, name: 'doggie' }])
  })
})

describe('schemas of OpenAPI 3.0', () => {
  it('become JSON Schema, and no documented request is refused', async () => {
    const document = {
      openapi: '3.0.3',
      paths: {
        '/users': {
          get: { responses: ok(listOf(ref('User'))) },
          post: { requestBody: json(ref('NewUser')), responses: ok(ref('User')) },
        },
        '/users/{id}': {
          get: { responses: ok(ref('User')) },
          put: { requestBody: json(ref('NewUser')), responses: ok(ref('User')) },
        },
      },
      components: {
        schemas: {
          User: {
            type: 'object',
            required: ['id', 'email', 'createdAt', 'score', 'role'],
            additionalProperties: false,
            properties: {
              id: { type: 'string', format: 'uuid', readOnly: true },
              email: { type: 'string', format: 'email' },
              createdAt: { type: 'string', format: 'date-time', readOnly: true },
              score: { type: 'number', minimum: 0, exclusiveMinimum: true, example: 3 },
              role: { type: 'string', enum: ['admin', 'user'], nullable: true },
              zip: { type: 'string', pattern: '^\\d{5}$', xml: { name: 'zip' } },
              odd: { type: 'string', format: 'no-such-format' },
              address: {
                allOf: [{ type: 'object', properties: { city: { type: 'string' } } }],
                nullable: true,
              },
            },
          },
          NewUser: {
            type: 'object',
            required: ['email'],
            properties: {
              email: { type: 'string', format: 'email' },
              password: { type: 'string', writeOnly: true },
              zip: { type: 'integer' },
            },
          },
        },
      },
    }
    const { ask, data, settings, report } = await serveDescribed(document)
    const rows = data.users as readonly Record<string, unknown>[]
    expect(rows).toHaveLength(10)
    for (const row of rows) {
      expect(row.score).toBeGreaterThan(0)
      expect(row.zip).toMatch(/^\d{5}$/)
      expect(row.email).toMatch(/@example\.com$/)
      expect(['admin', 'user', null]).toContain(row.role)
      expect(row).not.toHaveProperty('password')
    }
    expect(settings.resources?.users).toMatchObject({ ids: 'uuid' })
    for (const json of [
      { email: 'a@b.test' },
      { email: 'a@b.test', password: 'x', zip: 12345 },
      { email: 'a@b.test', address: null, role: null },
    ]) {
      const { status, body } = await ask('/users', { method: 'POST', json })
      expect(status, JSON.stringify(body)).toBe(201)
      expect(body).toMatchObject({ score: 3, createdAt: expect.any(String) })
    }
    expect((await ask(`/users/${rows[0]?.id}`, { method: 'PUT', json: { email: 'a@b.test' } })).status).toBe(
      200,
    )
    expect((await ask('/users', { method: 'POST', json: { email: 'none' } })).status).toBe(422)
    expect(report.unused.map(({ why }) => why)).toEqual([
      'the format "no-such-format" is not known, and left out',
    ])
  })
})

describe('OpenAPI 3.1', () => {
  const TREE = {
    openapi: '3.1.0',
    servers: [
      {
        url: 'https://{region}.example.com/{base}',
        variables: { region: { default: 'eu' }, base: { default: 'api' } },
      },
    ],
    paths: {
      '/nodes': { get: { responses: ok(listOf(ref('Node'))) } },
      '/nodes/{id}': { get: { responses: ok(ref('Node')) } },
      '/nodes/{id}/leaves': { get: { responses: ok(listOf(ref('Leaf'))) } },
      '/animals': { get: { responses: ok(listOf(ref('Animal'))) } },
      '/animals/{id}': { get: { responses: ok(ref('Animal')) } },
      '/settings': {
        get: { responses: ok(ref('Settings')) },
        patch: { requestBody: json(ref('Settings')), responses: ok(ref('Settings')) },
      },
    },
    components: {
      schemas: {
        Node: {
          type: 'object',
          required: ['id', 'children', 'left'],
          properties: {
            id: { type: 'integer' },
            children: listOf(ref('Node')),
            left: { anyOf: [ref('Node'), { type: 'null' }] },
            other: ref('Node'),
            nodeId: { type: ['integer', 'null'] },
          },
        },
        Leaf: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, color: { type: 'string' } },
        },
        Base: {
          type: 'object',
          required: ['id', 'kind'],
          properties: { id: { type: 'integer' }, kind: { type: 'string' } },
        },
        Cat: {
          allOf: [
            ref('Base'),
            {
              type: 'object',
              required: ['lives'],
              properties: { kind: { const: 'cat' }, lives: { type: 'integer', maximum: 9, minimum: 1 } },
            },
          ],
        },
        Dog: {
          allOf: [
            ref('Base'),
            {
              type: 'object',
              required: ['tricks'],
              properties: {
                kind: { const: 'dog' },
                tricks: {
                  type: 'array',
                  uniqueItems: true,
                  minItems: 2,
                  items: { enum: ['sit', 'roll', 'speak'] },
                },
              },
            },
          ],
        },
        Animal: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
        Settings: {
          type: 'object',
          properties: { theme: { enum: ['light', 'dark'] }, language: { type: 'string' } },
        },
      },
    },
  }

  it.each([
    ['/api/nodes', listOf(ref('Node'))],
    ['/api/nodes/3', ref('Node')],
    ['/api/nodes/1/leaves', listOf(ref('Leaf'))],
    ['/api/animals', listOf(ref('Animal'))],
    ['/api/animals/2', ref('Animal')],
    ['/api/settings', ref('Settings')],
  ])('with cycles, trees of allOf and discriminators is served as documented: %s', async (path, schema) => {
    const { ask } = await serveDescribed(TREE)
    const { status, body } = await ask(path)
    expect(status).toBe(200)
    expect(fits(TREE, schema, body)).toBeUndefined()
  })

  it('has parents that exist, and closes a cycle with null', async () => {
    const { data, ask } = await serveDescribed(TREE)
    const leaves = data.leaves as readonly { nodeId: number }[]
    for (const { nodeId } of leaves) expect((await ask(`/nodes/${nodeId}`)).status).toBe(200)
    for (const { nodeId } of data.nodes as readonly { nodeId: unknown }[]) expect(nodeId).toBeNull()
  })

  it('uses examples of lists and items, each id once, and makes what does not fit', async () => {
    const pet = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' }, age: { type: 'integer' } },
    }
    const document = {
      openapi: '3.1.0',
      paths: {
        '/pets': {
          get: {
            responses: ok(listOf(pet), {
              example: [
                { id: 7, name: 'Ada', age: 'old' },
                { id: 7, name: 'Twice' },
              ],
            }),
          },
        },
        '/pets/{id}': {
          get: { responses: ok(pet, { examples: { one: { value: { id: 9, name: 'Bo' } } } }) },
        },
      },
    }
    const { data, report } = await describeData(document, 'openapi.json', { rows: 3 })
    expect(data.pets).toMatchObject([
      { id: 7, name: 'Ada', age: expect.any(Number) },
      { id: 9, name: 'Bo' },
      { id: 1 },
    ])
    expect(report.resources.pets).toMatchObject({ rows: 3, examples: 2, made: 1, replaced: 1 })
  })

  it('says why a collection has no rows', async () => {
    const odd = {
      type: 'object',
      required: ['id', 'x'],
      properties: { id: { type: 'integer' }, x: { type: 'string', minLength: 5, maxLength: 2 } },
    }
    const document = {
      openapi: '3.1.0',
      paths: {
        '/odd': { get: { responses: ok(listOf(odd)) } },
        '/odd/{id}': { get: { responses: ok(odd) } },
      },
    }
    const { data, report } = await serveDescribed(document)
    expect(data.odd).toEqual([])
    expect(report.unused).toMatchObject([{ place: 'odd', why: expect.stringMatching(/^no rows: x must/) }])
  })
})

describe('envelopes', () => {
  const order = {
    type: 'object',
    required: ['id', 'total'],
    properties: { id: { type: 'integer' }, total: { type: 'number' } },
  }

  it('of JSON:API are the preset', async () => {
    const article = {
      type: 'object',
      required: ['type', 'id', 'attributes'],
      properties: {
        type: { const: 'articles' },
        id: { type: 'string' },
        attributes: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      },
    }
    const around = (data: object) => ({ type: 'object', required: ['data'], properties: { data } })
    const document = {
      openapi: '3.1.0',
      paths: {
        '/articles': {
          get: { responses: ok(around(listOf(article))) },
          post: {
            requestBody: json(around({ ...article, required: ['type', 'attributes'] })),
            responses: ok(around(article)),
          },
        },
        '/articles/{id}': { get: { responses: ok(around(article)) } },
      },
    }
    const { ask, settings } = await serveDescribed(document)
    expect(settings.shape).toBe('jsonapi')
    const list = await ask('/articles')
    expect(fits(document, around(listOf(article)), list.body)).toBeUndefined()
    const item = await ask(`/articles/${list.body.data[0].id}`)
    expect(fits(document, around(article), item.body)).toBeUndefined()
    const created = await ask('/articles', {
      method: 'POST',
      json: { data: { type: 'articles', attributes: { title: 'New' } } },
    })
    expect(created.status).toBe(201)
    expect(created.body.data.attributes.title).toBe('New')
  })

  it('of HAL are a template', async () => {
    const links = {
      type: 'object',
      properties: { self: { type: 'object', properties: { href: { type: 'string', format: 'uri' } } } },
    }
    const row = { ...order, properties: { ...order.properties, _links: links } }
    const list = {
      type: 'object',
      required: ['_embedded', 'page'],
      properties: {
        _embedded: { type: 'object', required: ['orders'], properties: { orders: listOf(row) } },
        _links: links,
        page: {
          type: 'object',
          required: ['size', 'totalElements', 'totalPages', 'number'],
          properties: {
            size: { type: 'integer' },
            totalElements: { type: 'integer' },
            totalPages: { type: 'integer' },
            number: { type: 'integer' },
          },
        },
      },
    }
    const document = {
      openapi: '3.1.0',
      paths: { '/orders': { get: { responses: ok(list) } }, '/orders/{id}': { get: { responses: ok(row) } } },
    }
    const { ask, settings } = await serveDescribed(document)
    expect(settings.shape).toMatchObject({
      list: { _embedded: { orders: '$rows' }, page: { totalElements: '$total' } },
    })
    const { body } = await ask('/orders')
    expect(fits(document, list, body)).toBeUndefined()
    expect(body._embedded.orders).toHaveLength(10)
  })

  it('of Django REST framework are the preset', async () => {
    const list = {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        next: { type: ['string', 'null'] },
        previous: { type: ['string', 'null'] },
        results: listOf(order),
      },
    }
    const document = {
      openapi: '3.1.0',
      paths: {
        '/orders': { get: { responses: ok(list) } },
        '/orders/{id}': { get: { responses: ok(order) } },
      },
    }
    const { ask, settings } = await serveDescribed(document)
    expect(settings.shape).toBe('drf')
    expect(fits(document, list, (await ask('/orders')).body)).toBeUndefined()
  })
})

it('collections of one name are one where their schema is the same, else the later has the part before it', async () => {
  const comment = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, text: { type: 'string' } },
  }
  const note = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, line: { type: 'integer' } },
  }
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
  const document = {
    openapi: '3.1.0',
    paths: {
      '/v1/posts': { get: { responses: ok(listOf(thing)) } },
      '/v1/posts/{id}': { get: { responses: ok(thing) } },
      '/v1/posts/{id}/comments': { get: { responses: ok(listOf(comment)) } },
      '/v1/users': { get: { responses: ok(listOf(thing)) } },
      '/v1/users/{id}': { get: { responses: ok(thing) } },
      '/v1/users/{id}/comments': { get: { responses: ok(listOf(comment)) } },
      '/v1/gists': { get: { responses: ok(listOf(thing)) } },
      '/v1/gists/{id}': { get: { responses: ok(thing) } },
      '/v1/gists/{id}/comments': { get: { responses: ok(listOf(note)) } },
      '/v1/repos/{owner}/{repo}/issues': { get: { responses: ok(listOf(note)) } },
      '/v1/repos/{owner}/{repo}/issues/{number}': { get: { responses: ok(note) } },
    },
  }
  const { ask, data, rules, report } = await serveDescribed(document)
  expect(Object.keys(data)).toEqual(['posts', 'comments', 'users', 'gists', 'gists_comments', 'issues'])
  expect(rules).toMatchObject({ '/v1/*': '/$1' })
  expect(report.operations).toEqual({ all: 11, used: 11, unused: 0 })
  expect(report.resources.comments?.references).toEqual({ postId: 'posts', userId: 'users' })
  for (const [path, schema] of [
    ['/v1/posts/2/comments', listOf(comment)],
    ['/v1/gists/2/comments', listOf(note)],
    ['/v1/repos/a/b/issues', listOf(note)],
    ['/v1/repos/a/b/issues/4', note],
  ] as const) {
    const { status, body } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    expect(fits(document, schema, body)).toBeUndefined()
  }
})

it('a document of 500 paths is used whole', async () => {
  const thing = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  }
  const paths = Array.from({ length: 250 }, (_, at) => [
    [`/api/things${at}`, { get: { responses: ok(listOf(thing)) } }],
    [`/api/things${at}/{id}`, { get: { responses: ok(thing) } }],
  ]).flat()
  const document = { openapi: '3.1.0', paths: Object.fromEntries(paths) }
  const { ask, report } = await serveDescribed(document, { rows: 2 })
  expect(report.operations).toEqual({ all: 500, used: 500, unused: 0 })
  expect((await ask('/api/things249/2')).body).toMatchObject({ id: 2 })
})

it.each([
  [{ openapi: '3.1.0', paths: {} }, {}, /^openapi\.json: it describes no operations\./],
  [{ openapi: '3.1.0', paths: { '/a': { get: {} } } }, { only: '/b/**' }, /--only \/b\/\*\* picks no path/],
])('what cannot be imported is said: %j', async (document, options, message) => {
  await expect(describeData(document, 'openapi.json', options)).rejects.toThrow(message)
})

it('references elsewhere are refused, and the operations that need them are not used', async () => {
  const document = {
    openapi: '3.1.0',
    paths: {
      '/a': { get: { responses: ok(listOf({ $ref: 'https://example.com/a.json' })) } },
      '/b': { get: { responses: ok(listOf({ $ref: '../../../etc/passwd' })) } },
    },
  }
  const { data, report } = await describeData(document, 'openapi.json', {})
  expect(data).toEqual({})
  expect(report.unused).toEqual([
    {
      place: 'paths./a.get',
      why: 'it needs https://example.com/a.json, which is not in this document or its folder',
    },
    {
      place: 'paths./b.get',
      why: 'it needs ../../../etc/passwd, which is not in this document or its folder',
    },
  ])
})

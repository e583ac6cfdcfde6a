import { afterEach, describe, expect, it } from 'vitest'
import { describeApi, type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

const data = () => ({
  users: [{ id: 1, name: 'Ada' }],
  posts: [
    { id: 1, title: 'One', userId: 1 },
    { id: 2, title: 'Two', userId: 1 },
  ],
  profile: { name: 'typicode' },
})
const STATUS = { create: 200, update: 202, delete: 204, invalid: 400, conflict: 418, missing: 410 }
const RULES: NonNullable<StartOptions['resources']> = {
  users: { schema: { required: ['name'] } },
  posts: {
    schema: { properties: { title: { type: 'string' } } },
    unique: ['title'],
    references: { userId: { resource: 'users', onDelete: 'restrict' } },
  },
}

let api: OpenedServer
afterEach(() => api.close())

async function openWith(options: Partial<StartOptions>) {
  api = await open({ data: data(), live: false, shape: { status: STATUS }, resources: RULES, ...options })
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await api.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...sent,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

describe('statuses of one’s own API', () => {
  it.each<[method: string, path: string, body: unknown, status: number]>([
    ['POST', '/posts', { title: 'Three' }, 200],
    ['POST', '/posts', [{ title: 'Three' }, { title: 'Four' }], 200],
    ['POST', '/users/1/posts', { title: 'Three' }, 200],
    ['POST', '/profile', { name: 'x' }, 200],
    ['PUT', '/users/7?_upsert=true', { name: 'x' }, 200],
    ['PUT', '/users/1?_upsert=true', { name: 'x' }, 202],
    ['PUT', '/posts/1', { title: 'x' }, 202],
    ['PATCH', '/posts/1', { title: 'x' }, 202],
    ['PATCH', '/posts?id=1', { title: 'x' }, 202],
    ['PUT', '/profile', { name: 'x' }, 202],
    ['DELETE', '/posts/1', undefined, 204],
    ['DELETE', '/posts?id=1', undefined, 204],
    ['POST', '/posts', { title: 3 }, 400],
    ['PATCH', '/users?id=1', { name: null, nothing: 1 }, 202],
    ['POST', '/users', {}, 400],
    ['POST', '/posts', { id: 1, title: 'x' }, 418],
    ['POST', '/posts', { title: 'One' }, 418],
    ['DELETE', '/users/1', undefined, 418],
    ['GET', '/posts/9', undefined, 410],
    ['PATCH', '/posts/9', { title: 'x' }, 410],
    ['DELETE', '/posts/9', undefined, 410],
    ['GET', '/users/9/posts/1', undefined, 410],
    ['GET', '/users/9/posts', undefined, 200],
    ['GET', '/posts', undefined, 200],
    ['GET', '/nothing', undefined, 404],
    ['PATCH', '/posts?_sort=id', { title: 'x' }, 400],
  ])('%s %s %j: %i', async (method, path, body, status) => {
    const ask = await openWith({})
    const got = await ask(method, path, body)
    expect([got.status, got.text]).toEqual([status, status === 204 ? '' : expect.stringMatching(/./)])
  })

  it('also for a JSON Patch that cannot be applied, and for cached 404s', async () => {
    const ask = await openWith({})
    const patch = [{ op: 'remove', path: '/none' }]
    const type = { 'Content-Type': 'application/json-patch+json' }
    const refused = await ask('PATCH', '/posts/1', patch, type)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, 'INVALID_PATCH'])
    for (const method of ['GET', 'GET', 'HEAD']) expect((await ask(method, '/posts/9')).status).toBe(410)
  })

  it('a 204 has no body, but its headers, and the write is done', async () => {
    const ask = await openWith({ shape: { status: { create: 204, update: 205 } } })
    const created = await ask('POST', '/posts', { title: 'Three' })
    expect([created.status, created.text]).toEqual([204, ''])
    expect(created.headers.get('Location')).toMatch(/\/posts\/3$/)
    expect(JSON.parse((await ask('GET', '/posts/3')).text)).toEqual({ id: 3, title: 'Three' })
    const updated = await ask('PATCH', '/posts/3', { title: 'x' })
    expect([updated.status, updated.text, updated.headers.get('Content-Length')]).toEqual([205, '', '0'])
  })

  it('Prefer: return wins, and shape=none has ours', async () => {
    const ask = await openWith({})
    const prefer = (Prefer: string) => ({ Prefer })
    const whole = prefer('return=representation')
    expect(await ask('POST', '/posts', { title: 'a' }, whole)).toMatchObject({ status: 201 })
    expect(await ask('PATCH', '/posts/1', { title: 'b' }, whole)).toMatchObject({ status: 200 })
    const removed = await ask('DELETE', '/posts/1', undefined, whole)
    expect([removed.status, JSON.parse(removed.text).title]).toEqual([200, 'b'])
    const least = prefer('return=minimal')
    expect(await ask('POST', '/posts', { title: 'c' }, least)).toMatchObject({ status: 201, text: '' })
    expect(await ask('PATCH', '/posts/2', { title: 'd' }, least)).toMatchObject({ status: 204, text: '' })
    const plain = prefer('shape=none')
    expect(await ask('GET', '/posts/9', undefined, plain)).toMatchObject({ status: 404 })
    expect(await ask('POST', '/posts', { title: 3 }, plain)).toMatchObject({ status: 422 })
    expect(await ask('DELETE', '/posts/2', undefined, plain)).toMatchObject({ status: 200, text: '{}' })
  })

  it('never at addresses that begin with /__', async () => {
    const ask = await openWith({ shape: { status: { create: 299, invalid: 499, conflict: 498 } } })
    expect((await ask('POST', '/__resources', { tags: [] })).status).toBe(201)
    expect((await ask('POST', '/__resources', { db: [] })).status).toBe(422)
    expect((await ask('POST', '/__resources', { posts: [] })).status).toBe(409)
  })

  it('of one resource, and a template of errors has what is sent', async () => {
    const error = { status: '$status', title: '$title' }
    const resources = { posts: { shape: { error, status: { missing: 410 } } } }
    const ask = await openWith({ shape: { status: { missing: 400 } }, resources })
    const gone = await ask('GET', '/posts/9')
    expect([gone.status, JSON.parse(gone.text)]).toEqual([410, { status: 410, title: 'Gone' }])
    expect(await ask('GET', '/users/9')).toMatchObject({ status: 400, text: '{}' })
    expect((await ask('GET', '/users/9/posts/1')).status).toBe(410)
  })

  it('beside a preset, whose own are an object’s default no more', async () => {
    const ask = await openWith({ shape: { preset: 'drf', status: { delete: 202 } } })
    expect(JSON.parse((await ask('GET', '/posts')).text)).toMatchObject({ count: 2, results: data().posts })
    expect((await ask('DELETE', '/posts/1')).status).toBe(202)
    expect((await ask('POST', '/posts', { title: 3 })).status).toBe(422)
  })
})

it('errors of the preset problem have its media type, and rows have not', async () => {
  const ask = await openWith({ shape: 'problem' })
  for (const [method, path, body] of [
    ['GET', '/posts/9'],
    ['POST', '/posts', { title: 3 }],
    ['GET', '/posts?_where=['],
  ] as const) {
    const { headers, status, text } = await ask(method, path, body)
    expect([path, headers.get('Content-Type')]).toEqual([path, 'application/problem+json'])
    expect(JSON.parse(text)).toMatchObject({ status, type: 'about:blank', title: expect.any(String) })
  }
  expect((await ask('GET', '/posts')).headers.get('Content-Type')).toBe('application/json; charset=utf-8')
})

describe('the OpenAPI document and the types say so', () => {
  it('with the statuses that are sent', async () => {
    api = await open({ data: data(), live: false, shape: { status: STATUS }, resources: RULES })
    const { paths } = JSON.parse(await (await api.fetch('/__openapi')).text())
    const { post, get } = paths['/posts']
    const { put, delete: removal, get: item } = paths['/posts/{id}']
    const codes = (operation: { responses: object }) => Object.keys(operation.responses)
    expect(codes(get)).not.toContain('410')
    expect(codes(item)).toEqual(expect.arrayContaining(['200', '410']))
    expect(codes(item)).not.toContain('404')
    expect(codes(post)).toEqual(expect.arrayContaining(['200', '201', '400', '418']))
    expect(codes(post)).not.toContain('422')
    expect(post.responses[200].headers.Location).toBeDefined()
    expect(codes(put)).toEqual(expect.arrayContaining(['200', '201', '202', '204', '400', '410']))
    expect(removal.responses[204]).toMatchObject({ description: 'Delete a post' })
    expect(removal.responses[204].content).toBeUndefined()
    const ours = paths['/__resources'].post.responses
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(['201', '409', '422']))
  })

  it('where a missing item looks like other errors, or has no body', async () => {
    api = await open({ data: data(), live: false, shape: { status: { missing: 400 } } })
    const { paths, components } = JSON.parse(await (await api.fetch('/__openapi')).text())
    const { $ref } = paths['/posts/{id}'].get.responses[400]
    const response = components.responses[$ref.split('/').at(-1)]
    expect(response.description).toContain('NOT_FOUND')
    expect(response.content['application/json'].schema.anyOf[0]).toEqual({ type: 'object', maxProperties: 0 })
  })

  it('a 204 has no data', async () => {
    const described = await describeApi({ data: data(), shape: { status: { delete: 204, create: 204 } } })
    const types = await described.types()
    expect(types).toContain('DELETE: { data: undefined }')
    expect(types).toMatch(/POST: \{ body: [^\n]*; data: undefined \}/)
    expect(types).toMatch(/PATCH: \{ body: [^\n]*; data: Post \}/)
  })
})

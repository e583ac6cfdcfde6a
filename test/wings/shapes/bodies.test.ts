import { afterAll, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

type Shape = NonNullable<StartOptions['shape']>

const servers = new Map<string, OpenedServer>()
afterAll(async () => {
  for (const each of servers.values()) await each.close()
})

async function serverOf(shape: Shape): Promise<OpenedServer> {
  const key = JSON.stringify(shape)
  const data = {
    articles: [{ id: 1, name: 'Desk', company_id: 1 }],
    companies: [{ id: 1 }, { id: 2 }],
    profile: { name: 'Ada' },
  }
  const api = servers.get(key) ?? (await open({ data, live: false, foreignKeySuffix: '_id', shape }))
  servers.set(key, api)
  await api.reset()
  return api
}

const OTHER: Shape = {
  item: { data: '$row' },
  row: { meta: { key: '$id' }, rel: '$relationships', v: '$fields' },
}
const LISTS: Shape = { list: { data: '$rows' }, item: { data: '$row' } }
const ROW = { id: 1, name: 'Desk', company_id: 1 }
const bolt = { data: { type: 'companies', id: '2' } }

it.each<[string, Shape, string, unknown, unknown]>([
  ['a list field', 'spring', 'PATCH /articles/1', { content: [{ t: 1 }] }, { ...ROW, content: [{ t: 1 }] }],
  ['a list field', 'drf', 'PUT /articles/1', { results: [3] }, { id: 1, results: [3] }],
  ['a list field', 'json-server-1', 'PATCH /articles/1', { data: [3, 4] }, { ...ROW, data: [3, 4] }],
  ['a list field', 'laravel', 'PATCH /articles/1', { data: [3, 4] }, { ...ROW, data: [3, 4] }],
  ['a list field', 'laravel', 'PATCH /profile', { data: [3] }, { name: 'Ada', data: [3] }],
  ['a list field', 'laravel', 'POST /profile', { data: [3] }, { data: [3] }],
  ['a list field', 'spring', 'POST /articles', { content: [1, 2] }, { id: 2, content: [1, 2] }],
  ['a list of fields', 'drf', 'PATCH /articles?id=1', { results: [3] }, { ...ROW, results: [3] }],
  ['rows', LISTS, 'POST /articles', { data: [{ name: 'x' }] }, { id: 2, name: 'x' }],
  [
    'no attributes',
    'jsonapi',
    'PATCH /articles/1',
    { data: { type: 'articles', id: '1', relationships: { company: { data: null } } } },
    { ...ROW, company_id: null },
  ],
  [
    'a type only',
    'jsonapi',
    'PATCH /articles/1',
    { data: { type: 'articles', id: '1', meta: { a: 1 } } },
    ROW,
  ],
  [
    'meta and links in it',
    'jsonapi',
    'PATCH /articles/1',
    { data: { type: 'articles', id: '1', attributes: { name: 'x' }, meta: {}, links: { self: '/' } } },
    { ...ROW, name: 'x' },
  ],
  [
    'meta and a version beside it',
    'jsonapi',
    'PATCH /articles/1',
    { data: { type: 'articles', attributes: { name: 'x' } }, meta: { a: 1 }, jsonapi: { version: '1.1' } },
    { ...ROW, name: 'x' },
  ],
  [
    'a name for now',
    'jsonapi',
    'POST /articles',
    { data: { type: 'articles', lid: 'a', attributes: { name: 'x' }, relationships: { company: bolt } } },
    { id: 2, name: 'x', company_id: 2 },
  ],
  ['a plain row', 'jsonapi', 'POST /articles', { type: 'big', name: 'x' }, { id: 2, type: 'big', name: 'x' }],
  ['a plain row', 'jsonapi', 'PATCH /articles/1', { type: 'big' }, { ...ROW, type: 'big' }],
  [
    'all of its parts elsewhere',
    OTHER,
    'POST /articles',
    { data: { meta: { key: 7 }, rel: { company: bolt }, v: { name: 'x' } } },
    { id: 7, name: 'x', company_id: 2 },
  ],
  [
    'some of its parts',
    OTHER,
    'PATCH /articles/1',
    { data: { rel: { company: bolt } } },
    { ...ROW, company_id: 2 },
  ],
])('takes %s, with %j, in %s', async (_, shape, request, body, stored) => {
  const api = await serverOf(shape)
  const [method = '', path = ''] = request.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const response = await api.fetch(path, { method, headers, body: JSON.stringify(body) })
  expect([response.status, await response.text()]).toEqual([method === 'POST' ? 201 : 200, expect.anything()])
  const { id } = Object(stored)
  const plain = await api.fetch(path.startsWith('/profile') ? path : `/articles/${id}`, {
    headers: { Prefer: 'shape=none' },
  })
  expect(await plain.json()).toEqual(stored)
})

import express from 'express'
import { describe, expect, it } from 'vitest'
import { router } from '../../../src/index.ts'
import { serving } from '../../support/http/serving.ts'
import { type Kept, serveShop } from '../../support/http/shop.ts'

describe.each<Kept>(['a file', 'a live object'])('If-Match on an item of %s', (kept) => {
  it.each(['PUT', 'PATCH', 'DELETE'])(
    'lets a %s pass only while the item is the one that was read',
    async (method) => {
      const { ask, kept: read } = await serveShop(kept)
      const { etag = '' } = (await ask('GET', '/products/2')).headers
      await ask('PATCH', '/products/2', { price: 11 })
      const before = await read()
      const refused = await ask(method, '/products/2', { price: 12 }, { 'if-match': etag })
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([412, 'PRECONDITION_FAILED'])
      expect(await read()).toEqual(before)
      const { etag: current = '' } = (await ask('GET', '/products/2')).headers
      expect((await ask(method, '/products/2', { price: 12 }, { 'if-match': current })).status).toBe(200)
    },
  )

  it.each([
    ['as it is', (tag: string) => tag, 200],
    ['as a strong one', (tag: string) => tag.replace('W/', ''), 200],
    ['without quotes', (tag: string) => tag.replace('W/', '').replaceAll('"', ''), 200],
    ['in a list', (tag: string) => `"a", ${tag}, "b"`, 200],
    ['as any', () => '*', 200],
    ['as another one', () => '"a"', 412],
    ['as nothing at all', () => '', 412],
    ['as what is no tag', () => 'W/', 412],
  ])('takes the tag %s', async (_how, spell, status) => {
    const { ask } = await serveShop(kept)
    const { etag = '' } = (await ask('GET', '/products/2')).headers
    expect((await ask('PATCH', '/products/2', { price: 1 }, { 'if-match': spell(etag) })).status).toBe(status)
  })

  it.each(['/products/2?_expand=company', '/products/2?_embed=reviews', '/products?id=2', '/products'])(
    'says that the tag of %s is not that of the plain item',
    async (path) => {
      const { ask } = await serveShop(kept)
      const { etag = '' } = (await ask('GET', path)).headers
      const answer = await ask('PATCH', '/products/2', { price: 1 }, { 'if-match': etag })
      expect(answer.status).toBe(412)
      expect(JSON.parse(answer.body).message).toMatch(/plain item: get it again, without _embed/)
    },
  )

  it('is 404 where there is no item, whatever it names', async () => {
    const { ask } = await serveShop(kept)
    for (const tag of ['*', '"a"']) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await ask(method, '/products/99', {}, { 'if-match': tag })).status).toBe(404)
      }
    }
  })

  it('lets one of fifty pass that come together', async () => {
    const { ask, kept: read } = await serveShop(kept)
    const { etag = '' } = (await ask('GET', '/products/1')).headers
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask('PATCH', '/products/1', { n }, { 'if-match': etag })),
    )
    const passed = answers.filter(({ status }) => status === 200)
    expect([passed.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 49])
    expect((await read()).products?.[0]).toEqual(JSON.parse(passed[0]?.body ?? ''))
  })

  it('lets a chain of writes go on with the tag of each answer', async () => {
    const { ask } = await serveShop(kept)
    let { etag = '' } = (await ask('POST', '/products', { name: 'Chair' })).headers
    for (const prefer of ['return=minimal', 'return=representation', 'return=minimal']) {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await ask(method, '/products/4', { name: method }, { 'if-match': etag, prefer })
        expect(answer.status, answer.body).toBe(prefer === 'return=minimal' ? 204 : 200)
        etag = answer.headers.etag ?? ''
      }
    }
    expect((await ask('GET', '/products/4')).headers.etag).toBe(etag)
  })

  it('holds for a single object, too', async () => {
    const { ask } = await serveShop(kept)
    const { etag = '' } = (await ask('GET', '/profile')).headers
    expect((await ask('PATCH', '/profile', { a: 1 }, { 'if-match': etag })).status).toBe(200)
    expect((await ask('PATCH', '/profile', { a: 2 }, { 'if-match': etag })).status).toBe(412)
    expect((await ask('PUT', '/profile', { a: 2 }, { 'if-match': etag })).status).toBe(412)
    expect((await ask('PUT', '/profile', { a: 2 }, { 'if-none-match': '*' })).status).toBe(412)
    expect((await ask('PUT', '/profile', { a: 2 }, { 'if-match': '*' })).status).toBe(200)
  })

  it('holds for a row that takes long to write out', async () => {
    const { ask } = await serveShop(kept, {}, { items: [{ id: 1, text: ['x'.repeat(300_000)] }] })
    const { etag = '' } = (await ask('GET', '/items/1')).headers
    const passed = await ask('PATCH', '/items/1', { a: 1 }, { 'if-match': etag, prefer: 'return=minimal' })
    expect(passed.status).toBe(204)
    expect(passed.headers.etag).toBe((await ask('GET', '/items/1')).headers.etag)
    expect((await ask('PATCH', '/items/1', { a: 2 }, { 'if-match': etag })).status).toBe(412)
  })
})

describe('If-None-Match on a PUT', () => {
  it.each([
    ['of an item that is there', '/products/1', '*', 412],
    ['of an item that is not', '/products/99', '*', 404],
    ['of an item that is not, to make it', '/products/99?_upsert=true', '*', 201],
    ['of an item that is there, to make it', '/products/1?_upsert=true', '*', 412],
    ['of an item with another tag', '/products/1', '"a"', 200],
  ])('%s', async (_what, path, tag, status) => {
    const { ask } = await serveShop('a file')
    expect((await ask('PUT', path, { name: 'x' }, { 'if-none-match': tag })).status).toBe(status)
  })

  it('of an item with that tag', async () => {
    const { ask } = await serveShop('a file')
    const { etag = '' } = (await ask('GET', '/products/1')).headers
    expect((await ask('PUT', '/products/1', {}, { 'if-none-match': etag })).status).toBe(412)
    expect((await ask('PATCH', '/products/1', {}, { 'if-none-match': etag })).status).toBe(200)
  })
})

it.each([
  ['compact JSON', (app: express.Express) => app],
  ['strong tags', (app: express.Express) => app.set('etag', 'strong')],
  ['escapes and tabs', (app: express.Express) => app.set('json escape', true).set('json spaces', '\t')],
])('the tag of a GET can be sent in an application of your own with %s', async (_what, prepare) => {
  const url = await serving(prepare(express()).use(router({ posts: [{ id: 1, text: '<a & b>' }] })))
  const tag = (await fetch(`${url}/posts/1`)).headers.get('etag') ?? ''
  const patch = (headers: Record<string, string>) =>
    fetch(`${url}/posts/1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"a":"<b>"}',
    })
  const passed = await patch({ 'if-match': tag, prefer: 'return=minimal' })
  expect(passed.status).toBe(204)
  expect(passed.headers.get('etag')).toBe((await fetch(`${url}/posts/1`)).headers.get('etag'))
  expect((await patch({ 'if-match': tag })).status).toBe(412)
})

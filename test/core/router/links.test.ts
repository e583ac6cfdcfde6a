import type express from 'express'
import { describe, expect, it } from 'vitest'
import { create, rewriter, router } from '../../../src/index.ts'
import { serve } from '../../support/http/serve.ts'
import { serving } from '../../support/http/serving.ts'

const DATA = () => ({ posts: Array.from({ length: 9 }, (_, n) => ({ id: n + 1, _page2: 'x' })) })

/** The links of an answer by their names. */
async function linksOf(url: string): Promise<Record<string, string>> {
  const answer = await fetch(url)
  const found = (answer.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries([...found].map(([, link = '', rel = '']) => [rel, link]))
}

async function idsOf(url: string): Promise<number[]> {
  const rows: { id: number }[] = JSON.parse(await (await fetch(url)).text())
  return rows.map(({ id }) => id)
}

describe('the links of a page lead to the other pages', () => {
  it.each([
    '_page=2&_limit=3',
    '_limit=3&%5Fpage=2',
    '_limit=3&%5fp%61ge=2',
    '_limit=3&_page[]=2',
    '_limit=3&_page%5B%5D=2',
    '_limit=3&_page[0]=2',
    '_limit=3&[_page]=2',
    '_page=2&_limit=3&_page=1',
    '_page[]=2&_page[]=1&_limit=3',
    'a[_page]=7&_limit=3&_page=2',
    '_limit=3&_page=2&_page2=x',
    '&&_page=2&&_limit=3&',
  ])('with ?%s', async (query) => {
    const base = await serving(create().use(router(DATA())))
    expect(await idsOf(`${base}/posts?${query}`)).toEqual([4, 5, 6])
    const { first = '', prev = '', next = '', last = '' } = await linksOf(`${base}/posts?${query}`)
    expect(await idsOf(first)).toEqual([1, 2, 3])
    expect(await idsOf(prev)).toEqual([1, 2, 3])
    expect(await idsOf(next)).toEqual([7, 8, 9])
    expect(await idsOf(last)).toEqual([7, 8, 9])
    // And from there on.
    expect(await idsOf((await linksOf(next)).prev ?? '')).toEqual([4, 5, 6])
  })

  it('and keep the rest of the query as it was written', async () => {
    const base = await serving(create().use(router(DATA())))
    const { next } = await linksOf(`${base}/posts?id_ne=%31&_page[]=1&_limit=3&%5Fsort=id&homepage=1`)
    expect(next).toBe(`${base}/posts?id_ne=%31&_page=2&_limit=3&%5Fsort=id&homepage=1`)
  })

  it('where a middleware asks for the page', async () => {
    const ask: express.RequestHandler = (req, _res, next) => {
      Object.assign(req.query, { _page: '2', _limit: '3' })
      next()
    }
    const base = await serving(create().use(ask).use(router(DATA())))
    const { next } = await linksOf(`${base}/posts`)
    expect(next).toBe(`${base}/posts?_page=3`)
  })

  it('where a rule asks for the page', async () => {
    const rules = { '/pages/:n': '/posts?_page=:n&_limit=3' }
    const base = await serving(create().use(rewriter(rules)).use(router(DATA())))
    const { next = '' } = await linksOf(`${base}/pages/2`)
    expect(await idsOf(next)).toEqual([7, 8, 9])
  })
})

it.each([
  ['as it is', undefined],
  ['in a shape', 'laravel'],
] as const)('no header is longer than 8 KB, %s, however long the URL', async (_, shape) => {
  const { url } = await serve({ data: DATA(), ...(shape && { shape }), quiet: true })
  const relsAt = async (length: number) => {
    const { status, headers } = await fetch(`${url}/posts?_limit=3&_page=2&x=${'x'.repeat(length)}`)
    expect(status).toBe(200)
    for (const [, value] of headers) expect(value.length).toBeLessThanOrEqual(8192)
    return [...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)
  }
  expect(await relsAt(1500)).toEqual(['first', 'prev', 'next', 'last'])
  expect(await relsAt(6000)).toEqual(['next'])
  expect(await relsAt(12_000)).toEqual([])
})

it('an item whose URL is longer than that has no Location', async () => {
  const name = '日'.repeat(300)
  const { url } = await serve({ data: { [name]: [] }, quiet: true })
  const created = await fetch(`${url}/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'щ'.repeat(1000) }),
  })
  expect([created.status, created.headers.get('location')]).toEqual([201, null])
})

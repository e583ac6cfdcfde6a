import { readFile } from 'node:fs/promises'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { json, serving } from '../../support/http/serving.ts'

const keys = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, n]))

describe('an id', () => {
  it.each([
    ['a thousand letters', 'x'.repeat(1000)],
    ['a thousand letters of another script', 'щ'.repeat(1000)],
    ['a number', 1e300],
  ])('of %s can be asked for where Location says', async (_name, id) => {
    const base = await serving(create().use(router({ posts: [] })))
    const { status, headers } = await fetch(`${base}/posts`, json('POST', { id }))
    expect(status).toBe(201)
    expect(await (await fetch(headers.get('location') ?? '')).json()).toEqual({ id })
  })

  it.each([
    ['in an item', { id: 'x'.repeat(1001) }],
    ['in a list of items', [{ id: 1 }, { id: 'x'.repeat(20_000) }]],
    ['once it is encoded', { id: '語'.repeat(1000) }],
  ])('that is too long for a URL is refused %s, and nothing is stored', async (_name, body) => {
    const base = await serving(create().use(router({ posts: [] })))
    const answer = await fetch(`${base}/posts`, json('POST', body))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: 'Invalid body',
      message: expect.stringMatching(/^The field id is too long for a URL.+leave it out/),
      code: 'INVALID_BODY',
    })
    expect(await (await fetch(`${base}/posts`)).json()).toEqual([])
  })

  it('that is an object is refused', async () => {
    const base = await serving(create().use(router({ posts: [] })))
    expect((await fetch(`${base}/posts`, json('POST', { id: {} }))).status).toBe(400)
  })
})

describe('an item that grows with each PATCH', () => {
  it('stops at 50,000 keys', async () => {
    const base = await serving(create().use(router({ posts: [{ id: 1 }] })))
    const patch = async (fields: object) => (await fetch(`${base}/posts/1`, json('PATCH', fields))).status
    expect(await patch(keys(49_000))).toBe(200)
    expect(await patch(keys(900, 49_000))).toBe(200)
    expect(await patch(keys(100, 49_900))).toBe(400)
    // What is there already may change.
    expect(await patch(keys(49_000))).toBe(200)
    expect(Object.keys(Object(await (await fetch(`${base}/posts/1`)).json()))).toHaveLength(49_901)
  })
})

describe('a number that overflows', () => {
  const SPELLED = ['1e999', `1${'0'.repeat(250)}e99`, '-1e+999', '1E0999']

  it.each(SPELLED)('is null in the answer, in memory and in the file: %s', async (spelled) => {
    const file = fileOf(`{"posts":[{"id":1,"n":${spelled}}]}`)
    const base = await serving(create().use(router(file)))
    const found = async (query: string) =>
      Number((await fetch(`${base}/posts?${query}`)).headers.get('x-total-count'))
    // Infinity would be found, null is not.
    expect(await found('n_gte=1&n_ne=Infinity')).toBe(0)
    expect(await found('n=Infinity')).toBe(0)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${base}/posts`, { ...init, body: `{"n":${spelled},"l":[${spelled}]}` })
    expect(await answer.json()).toEqual({ id: 2, n: null, l: [null] })
    expect(await found('n=Infinity')).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      posts: [
        { id: 1, n: null },
        { id: 2, n: null, l: [null] },
      ],
    })
  })

  it("is null behind the app's own parser, too", async () => {
    const data = { posts: [] }
    const base = await serving(create().use(express.json()).use(router(data)))
    const headers = { 'content-type': 'application/json' }
    await fetch(`${base}/posts`, { method: 'POST', headers, body: '[{"n":1e999},{"n":[{"m":-1e999}]}]' })
    expect(data.posts).toEqual([
      { id: 1, n: null },
      { id: 2, n: [{ m: null }] },
    ])
  })
})

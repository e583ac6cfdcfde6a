import express from 'express'
import { describe, expect, it } from 'vitest'
import type { RouterOptions } from '../../../src/index.ts'
import restable from '../../../src/index.ts'
import { asking } from '../../support/http/asking.ts'
import { serving } from '../../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, title: 'Hello' }], profile: { name: 'Ada' } })

async function mounted(options?: RouterOptions) {
  const app = express().use('/api', restable.router(data(), options))
  const url = await serving(app)
  return { url, ask: asking(url) }
}

describe('the API of a router', () => {
  it.each([
    ['/api/__schema', { properties: { posts: {}, profile: {} } }],
    ['/api/__schema/posts', { properties: { title: { type: 'string' } } }],
    ['/api/__openapi', { openapi: '3.1.0' }],
    ['/api/__openapi.json', { openapi: '3.1.0' }],
  ])('describes itself at %s', async (path, document) => {
    const { ask } = await mounted()
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: document })
  })

  it.each(['/api/__schema/nothing', '/api/__undo', '/api/__nothing'])('has nothing at %s', async (path) => {
    const { ask } = await mounted()
    expect(await ask('GET', path)).toMatchObject({ status: 404 })
  })

  it('names its own address, and only paths that are there', async () => {
    const { url, ask } = await mounted()
    const { body } = await ask('GET', '/api/__openapi')
    expect(body.servers).toEqual([{ url: `${url}/api` }])
    const plain = Object.keys(body.paths).filter((path) => body.paths[path].get && !path.includes('{'))
    expect(plain).toEqual(expect.arrayContaining(['/posts', '/profile', '/db', '/__schema']))
    for (const path of plain) expect([path, (await ask('GET', `/api${path}`)).status]).toEqual([path, 200])
  })

  it('tells what its schemas ask for', async () => {
    const schema = { type: 'object', required: ['title'], properties: { stars: { type: 'integer' } } }
    const { ask } = await mounted({ resources: { posts: { schema } } })
    const { body } = await ask('GET', '/api/__schema/posts')
    expect(body).toMatchObject({ required: expect.arrayContaining(['title']), properties: { stars: {} } })
  })

  it('describes rows as they are now', async () => {
    const { ask } = await mounted()
    await ask('GET', '/api/__schema/posts')
    await ask('POST', '/api/posts', { stars: 5 })
    expect((await ask('GET', '/api/__schema/posts')).body.properties).toHaveProperty('stars')
  })
})

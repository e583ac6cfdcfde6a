import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ServiceInfo } from '../../../src/core/kernel/catalogue/service-info.ts'
import type { StartOptions } from '../../../src/index.ts'
import { readEvents } from '../../../src/page/client/event-stream.ts'
import { folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'

async function describeServer(
  options: StartOptions,
  headers: Record<string, string> = {},
): Promise<ServiceInfo> {
  const { url } = await serve(options)
  return (await (await fetch(`${url}/__service`, { headers })).json()) as ServiceInfo
}

describe('GET /__service', () => {
  it('lists resources with kind, count and relations', async () => {
    const data = {
      products: [{ id: 1, company_id: 2 }],
      companies: [{ id: 2 }, { id: 3 }],
      profile: {},
      $schema: 'x',
    }
    const info = await describeServer({ data, foreignKeySuffix: '_id' })
    expect(info.resources).toEqual([
      {
        name: 'products',
        kind: 'collection',
        count: 1,
        relations: [{ field: 'company_id', resource: 'companies', expand: 'company' }],
      },
      { name: 'companies', kind: 'collection', count: 2, relations: [] },
      { name: 'profile', kind: 'object', count: null, relations: [] },
    ])
    expect(info).toMatchObject({
      id: 'id',
      foreignKeySuffix: '_id',
      readOnly: false,
      snapshots: false,
      data: null,
    })
    expect(info.version).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('lists the fields that list ids, many to many', async () => {
    const data = {
      posts: [{ id: 1, tagIds: [1], userIds: 3 }, null, { id: 2, tagIds: null }],
      tags: [{ id: 1 }],
      users: [{ id: 1 }],
    }
    const { resources } = await describeServer({ data })
    expect(resources.map(({ name, lists }) => [name, lists])).toEqual([
      ['posts', [{ field: 'tagIds', resource: 'tags', expand: 'tags' }]],
      ['tags', undefined],
      ['users', undefined],
    ])
  })

  it('lists the keys that only the settings declare', async () => {
    const { resources } = await describeServer({
      data: { posts: [{ id: 1, author: 1, readers: [1], userId: 1 }], users: [{ id: 1 }] },
      resources: {
        posts: {
          references: {
            author: { resource: 'users' },
            readers: { resource: 'users' },
            userId: { resource: 'users' },
          },
        },
      },
    })
    expect(resources.map(({ references }) => references)).toEqual([
      [
        { field: 'author', resource: 'users', isList: false },
        { field: 'readers', resource: 'users', isList: true },
      ],
      undefined,
    ])
  })

  it('tells what is wrong with the data file, without its path, until it is right again', async () => {
    const folder = folderOf({ 'db.json': '{ "posts": [] }' })
    const source = join(folder, 'db.json')
    const { url } = await serve({ source, watch: true })
    const stream = await fetch(`${url}/__events`)
    const kinds = async () => {
      for await (const { type } of readEvents(stream.body as ReadableStream))
        if (type !== 'request') return type
    }
    const told = kinds()
    const fault = async () => JSON.parse(await (await fetch(`${url}/__service`)).text()).dataFault
    expect(await fault()).toBeUndefined()
    await writeFile(source, '{ "posts": [ }')
    expect(await told).toBe('service')
    expect(await fault()).toMatch(/^db\.json .*line 1/)
    expect(await fault()).not.toContain(folder)
    await writeFile(source, '{ "posts": [{ "id": 1 }] }')
    await expect.poll(fault).toBeUndefined()
  })

  it('reports the name of the data file and when it was saved, but not its path', async () => {
    const folder = folderOf({ 'shop.json': '{"posts":[]}' })
    const info = await describeServer({ source: join(folder, 'shop.json') })
    expect(info.data).toEqual({ file: 'shop.json', savedAt: expect.stringMatching(/^\d{4}-.*Z$/), size: 12 })
    expect(JSON.stringify(info)).not.toContain(folder)
  })

  it('reports of a folder no size: what the system says is that of the list of its files', async () => {
    const folder = folderOf({ 'posts.json': '[]' })
    const info = await describeServer({ source: folder })
    expect(info.data).toEqual({ file: basename(folder), savedAt: expect.any(String) })
  })

  it('lists the layers in order, with their settings but without secrets', async () => {
    const info = await describeServer(
      {
        data: {},
        middlewares: ['cors', 'delay', 'rate-limit', 'api-key', 'bearer', 'jwt'],
        delay: { min: 0, max: 0 },
        rateLimit: { limit: 99 },
        apiKey: { keys: { 'hidden-key-00001': ['read'] } },
        bearer: { token: 'hidden-token' },
        jwt: { secret: 'hidden-secret', users: [{ email: 'hidden@example.com', password: 'hidden' }] },
      },
      { 'X-API-KEY': 'hidden-key-00001', Authorization: 'Bearer hidden-token' },
    )
    expect(info.layers.map(({ name }) => name)).toEqual([
      'cors',
      'delay',
      'rate-limit',
      'api-key',
      'bearer',
      'jwt',
    ])
    expect(info.layers[1]?.settings).toEqual({ min: 0, max: 0 })
    expect(info.layers[2]?.settings).toEqual({ limit: 99, windowMs: 60_000 })
    expect(info.layers[3]?.settings).toMatchObject({ keys: 1 })
    expect(JSON.stringify(info)).not.toContain('hidden')
  })

  it('is behind the guards', async () => {
    const { url } = await serve({ data: {}, middlewares: ['bearer'] })
    expect((await fetch(`${url}/__service`)).status).toBe(401)
  })
})

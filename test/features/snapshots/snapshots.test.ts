import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import express, { type ErrorRequestHandler } from 'express'
import request from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { foreignOrigin } from '../../../src/core/layers/origin-checks.ts'
import { snapshots } from '../../../src/features/snapshots/snapshots.ts'
import { openSnapshots, type Snapshots } from '../../../src/stores/file/snapshots.ts'
import { folderOf } from '../../support/folder.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const DATA = { products: [{ id: 1 }, { id: 2 }], companies: [], profile: { name: 'Ada' } }
const guard = foreignOrigin(['https://app.example.com'])

describe('snapshots', () => {
  describe('in files', () => {
    let engine: Engine
    let directory: string
    let store: Snapshots
    let time: number
    let commits: number

    beforeAll(() => {
      engine = new Engine({}, naming)
      engine.subscribe(() => commits++)
    })
    beforeEach(async () => {
      directory = folderOf()
      time = 1_700_000_000_000
      store = openSnapshots(engine, { directory, now: () => time++, images: undefined })
      await engine.write({ kind: 'replace-database', data: structuredClone(DATA) })
      commits = 0
    })
    afterAll(() => engine.close())

    const state = async () => (await engine.read({ kind: 'database' })).found
    const client = () => request(express().use(snapshots({ store, guard })))

    it('are saved, and it is said where', async () => {
      const { status, body, headers, text } = await client()
        .post('/__snapshots__')
        .set('Host', 'localhost:3000')
      expect(status).toBe(201)
      expect(body).toEqual({
        id: 'db-1700000000000',
        file: 'db-1700000000000.json',
        createdAt: '2023-11-14T22:13:20.000Z',
      })
      expect(headers.location).toBe(`http://localhost:3000/__snapshots__/${body.id}`)
      expect(text).toContain('\n  "id"')
      expect((await store.list()).map(({ id }) => id)).toEqual([body.id])
      expect(commits).toBe(0)
    })

    it('say where below a mount point, too', async () => {
      const app = express().use('/api', snapshots({ store, guard }))
      const { headers } = await request(app).post('/api/__snapshots__').set('Host', 'localhost:3000')
      expect(headers.location).toBe('http://localhost:3000/api/__snapshots__/db-1700000000000')
    })

    it.each(['evil"><script>', 'a b', ':'])('put no Host like %j into Location', async (host) => {
      const { headers } = await client().post('/__snapshots__').set('Host', host)
      expect(headers.location).toBe('/__snapshots__/db-1700000000000')
    })

    it('are listed newest first, and one is described', async () => {
      time = 9
      for (const next of [10, 2000, 2000, 2000]) {
        await client().post('/__snapshots__')
        time = next
      }
      const list = await client().get('/__snapshots__')
      expect(list.status).toBe(200)
      const ids = ['db-2000-1', 'db-2000', 'db-10', 'db-9']
      expect(list.body.map(({ id }: { id: string }) => id)).toEqual(ids)
      const one = await client().get('/__snapshots__/db-9')
      expect(one.body).toEqual({ id: 'db-9', file: 'db-9.json', createdAt: '1970-01-01T00:00:00.009Z' })
    })

    it('get a name each, however many are saved in one millisecond', async () => {
      store = openSnapshots(engine, { directory, now: () => 7, images: undefined })
      const saved = await Promise.all(
        Array.from({ length: 5 }, () =>
          request(express().use(snapshots({ store, guard }))).post('/__snapshots__'),
        ),
      )
      expect(saved.map(({ body }) => body.id).sort()).toEqual([
        'db-7',
        'db-7-1',
        'db-7-2',
        'db-7-3',
        'db-7-4',
      ])
    })

    it('are restored, and what is there again is counted', async () => {
      const { body: saved } = await client().post('/__snapshots__')
      await engine.write({ kind: 'insert', collection: 'products', rows: [{ name: 'more' }] })
      await engine.write({ kind: 'remove', collection: 'products', id: '1' })
      commits = 0
      const { status, body } = await client().put(`/__snapshots__/${saved.id}`)
      expect(status).toBe(200)
      expect(body).toEqual({ id: saved.id, restored: true, counts: { products: 2, companies: 0 } })
      expect(Object.keys(body.counts)).toEqual(['products', 'companies'])
      expect(JSON.stringify(await state())).toBe(JSON.stringify(DATA))
      expect(commits).toBe(1)
      // As often as one likes, and what was restored can be changed like any data.
      await engine.write({ kind: 'insert', collection: 'products', rows: [{}] })
      expect(await state()).toMatchObject({ products: [{ id: 1 }, { id: 2 }, { id: 3 }] })
      expect((await client().put(`/__snapshots__/${saved.id}`)).status).toBe(200)
      expect(await state()).toEqual(DATA)
    })

    it('bring back resources that are gone, and take away those that came', async () => {
      const { body: saved } = await client().post('/__snapshots__')
      await engine.write({ kind: 'replace-database', data: { other: [{ id: 5 }], profile: { name: 'Bob' } } })
      expect(engine.kindOf('products')).toBeUndefined()
      expect((await client().put(`/__snapshots__/${saved.id}`)).status).toBe(200)
      expect(JSON.stringify(await state())).toBe(JSON.stringify(DATA))
      expect(engine.names()).toEqual(['products', 'companies', 'profile'])
    })

    it('are deleted, once', async () => {
      const { body: saved } = await client().post('/__snapshots__')
      const first = await client().delete(`/__snapshots__/${saved.id}`)
      expect([first.status, first.body]).toEqual([200, {}])
      const second = await client().delete(`/__snapshots__/${saved.id}`)
      expect([second.status, second.body.code]).toEqual([404, 'SNAPSHOT_NOT_FOUND'])
      expect(await store.list()).toEqual([])
    })

    it.each([
      ['PUT', '/__snapshots__/db-404', 404, 'SNAPSHOT_NOT_FOUND'],
      ['GET', '/__snapshots__/db-404', 404, 'SNAPSHOT_NOT_FOUND'],
      ['DELETE', '/__snapshots__/db-404', 404, 'SNAPSHOT_NOT_FOUND'],
      ['PUT', '/__snapshots__/..%2F..%2Fetc%2Fpasswd', 400, 'INVALID_SNAPSHOT_ID'],
      ['PUT', '/__snapshots__/%2Fetc%2Fpasswd', 400, 'INVALID_SNAPSHOT_ID'],
      ['DELETE', '/__snapshots__/db-1%00', 400, 'INVALID_SNAPSHOT_ID'],
      ['DELETE', '/__snapshots__/db-1.json', 400, 'INVALID_SNAPSHOT_ID'],
      ['GET', '/__snapshots__/latest', 400, 'INVALID_SNAPSHOT_ID'],
    ] as const)('are refused: %s %s is %i %s', async (method, path, status, code) => {
      const verb = { GET: 'get', PUT: 'put', DELETE: 'delete' } as const
      const answer = await client()[verb[method]](path)
      expect(answer.status).toBe(status)
      expect(answer.body).toEqual({ error: expect.any(String), message: expect.any(String), code })
      expect(commits).toBe(0)
    })

    it.each([
      ['WRITE_FAILED', 503, 'WRITE_FAILED'],
      ['INVALID_DATA', 422, 'INVALID_SNAPSHOT'],
      // What the rest of the server says of it.
      ['SOURCE_UNAVAILABLE', 599, 'SOURCE_UNAVAILABLE'],
    ] as const)('whose restore fails with %s answer %i', async (reason, status, code) => {
      const failing = { ...store, restore: () => Promise.reject(new StorageError(reason, 'It did not work')) }
      const passOn: ErrorRequestHandler = (error, _req, res, _next) => {
        res.status(599).json({ code: error.code })
      }
      const app = express()
        .use(snapshots({ store: failing, guard }))
        .use(passOn)
      const answer = await request(app).put('/__snapshots__/db-1')
      expect([answer.status, answer.body.code]).toEqual([status, code])
    })

    it.each(['patch', 'put', 'delete'] as const)('have no %s on the list: 404 {}', async (verb) => {
      const { status, body } = await client()[verb]('/__snapshots__')
      expect([status, body]).toEqual([404, {}])
    })

    it.each([
      ['of another site', 'https://evil.example', false],
      ['without an origin to tell', 'null', false],
      ['on this machine', 'http://localhost:5173', true],
      ['that is trusted', 'https://app.example.com', true],
    ])('are read by a page %s; may it save, restore and delete? %s %s', async (_, origin, isAllowed) => {
      const { body: saved } = await client().post('/__snapshots__')
      const from = { Origin: origin }
      expect((await client().get(`/__snapshots__/${saved.id}`).set(from)).status).toBe(200)
      expect((await client().get('/__snapshots__').set(from)).body).toEqual([saved])
      const answers = [
        await client().post('/__snapshots__').set(from),
        await client().put(`/__snapshots__/${saved.id}`).set(from),
        await client().delete(`/__snapshots__/${saved.id}`).set(from),
      ]
      if (isAllowed) expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
      else {
        expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('FOREIGN_ORIGIN'))
        expect(await store.list()).toEqual([saved])
        expect(commits).toBe(0)
      }
    })

    it('leave every other path alone', async () => {
      const app = express().use(snapshots({ store, guard }))
      app.use((_req, res) => res.status(418).end())
      expect((await request(app).get('/__snapshots')).status).toBe(418)
    })
  })
})

it.each(['', '{"products":', '[]', '{"products":[{"name":"Caf\xe9"}]}'])(
  'a file that holds %j is not restored, and nothing changes',
  async (text) => {
    const directory = folderOf()
    const engine = new Engine(structuredClone(DATA), naming)
    await writeFile(join(directory, 'db-1.json'), text, 'latin1')
    const store = openSnapshots(engine, { directory, now: Date.now, images: undefined })
    const { status, body } = await request(express().use(snapshots({ store, guard }))).put(
      '/__snapshots__/db-1',
    )
    expect([status, body.code]).toEqual([422, 'INVALID_SNAPSHOT'])
    expect(body.message).not.toContain(directory)
    expect((await engine.read({ kind: 'database' })).found).toEqual(DATA)
    expect(await readdir(directory)).toEqual(['db-1.json'])
    await rm(directory, { recursive: true })
  },
)

it.each([
  ['post', '/__snapshots__'],
  ['get', '/__snapshots__'],
  ['put', '/__snapshots__/db-1'],
] as const)('without a place to keep them, %s %s says how to enable snapshots', async (verb, path) => {
  const app = express().use(snapshots({ guard }))
  const { status, body } = await request(app)[verb](path)
  expect([status, body.code]).toEqual([404, 'SNAPSHOTS_DISABLED'])
  expect(body.message).toContain('--snapshots')
})

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import request from 'supertest'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { snapshots } from '../../src/endpoints/snapshots.ts'
import { StorageError } from '../../src/errors.ts'
import { foreignOrigin } from '../../src/layers/doors/foreign-origin.ts'
import type { Data } from '../../src/storage/types.ts'

let directory: string
let data: Data
const restore = vi.fn(async (replacement: Data) => {
  data = replacement
})

const writeOut = async () => [Buffer.from(JSON.stringify(data))]

const WITHOUT_DIRECTORY = { writeOut, restore, guard: foreignOrigin(['https://app.example.com']) }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'snapshots-endpoint-'))
  data = { products: [{ id: 1 }, { id: 2 }], companies: [], profile: { name: 'Ada' } }
  restore.mockClear()
})

afterEach(() => rm(directory, { recursive: true }))

function client() {
  return request(express().use(snapshots({ directory, ...WITHOUT_DIRECTORY })))
}

it('saves the database and says where', async () => {
  const { status, body, headers, text } = await client().post('/__snapshots__').set('Host', 'localhost:3000')
  expect(status).toBe(201)
  expect(body).toEqual({ id: body.id, file: `${body.id}.json`, createdAt: body.createdAt })
  expect(headers.location).toBe(`http://localhost:3000/__snapshots__/${body.id}`)
  expect(text).toContain('\n  "id"')
  expect(await readdir(directory)).toEqual([body.file])
})

it('says where below a mount point, too', async () => {
  const app = express().use('/api', snapshots({ directory, ...WITHOUT_DIRECTORY }))
  const { headers } = await request(app).post('/api/__snapshots__').set('Host', 'localhost:3000')
  expect(headers.location).toMatch(/^http:\/\/localhost:3000\/api\/__snapshots__\/db-\d+$/)
})

it.each(['evil"><script>', 'a b', ':'])('puts no Host like %j into Location', async (host) => {
  const { headers } = await client().post('/__snapshots__').set('Host', host)
  expect(headers.location).toMatch(/^\/__snapshots__\/db-\d+$/)
})

it('lists them newest first, and describes one', async () => {
  for (const id of ['db-1', 'db-2']) await writeFile(join(directory, `${id}.json`), '{}')
  const list = await client().get('/__snapshots__')
  expect(list.status).toBe(200)
  expect(list.body.map(({ id }: { id: string }) => id)).toEqual(['db-2', 'db-1'])
  const one = await client().get('/__snapshots__/db-1')
  expect(one.body).toEqual({ id: 'db-1', file: 'db-1.json', createdAt: '1970-01-01T00:00:00.001Z' })
})

it('restores one and counts what is there again', async () => {
  const { body: saved } = await client().post('/__snapshots__')
  const before = data
  data = { products: [] }
  const { status, body } = await client().put(`/__snapshots__/${saved.id}`)
  expect(status).toBe(200)
  expect(body).toEqual({ id: saved.id, restored: true, counts: { products: 2, companies: 0 } })
  expect(data).toEqual(before)
})

it('deletes one, once', async () => {
  const { body: saved } = await client().post('/__snapshots__')
  const first = await client().delete(`/__snapshots__/${saved.id}`)
  expect([first.status, first.body]).toEqual([200, {}])
  const second = await client().delete(`/__snapshots__/${saved.id}`)
  expect([second.status, second.body.code]).toEqual([404, 'SNAPSHOT_NOT_FOUND'])
})

it.each([
  ['PUT', '/__snapshots__/db-404', 404, 'SNAPSHOT_NOT_FOUND'],
  ['GET', '/__snapshots__/db-404', 404, 'SNAPSHOT_NOT_FOUND'],
  ['PUT', '/__snapshots__/..%2F..%2Fetc%2Fpasswd', 400, 'INVALID_SNAPSHOT_ID'],
  ['PUT', '/__snapshots__/%2Fetc%2Fpasswd', 400, 'INVALID_SNAPSHOT_ID'],
  ['DELETE', '/__snapshots__/db-1%00', 400, 'INVALID_SNAPSHOT_ID'],
  ['DELETE', '/__snapshots__/db-1.json', 400, 'INVALID_SNAPSHOT_ID'],
  ['GET', '/__snapshots__/latest', 400, 'INVALID_SNAPSHOT_ID'],
] as const)('%s %s is refused with %i %s', async (method, path, status, code) => {
  const verb = { GET: 'get', PUT: 'put', DELETE: 'delete' } as const
  const answer = await client()[verb[method]](path)
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.any(String), message: expect.any(String), code })
  expect(restore).not.toHaveBeenCalled()
})

it.each(['', '{"products":', '[]', '{"products":[{"name":"Caf\xe9"}]}'])(
  'refuses to restore a file that holds %j, and changes nothing',
  async (text) => {
    await writeFile(join(directory, 'db-1.json'), text, 'latin1')
    const { status, body } = await client().put('/__snapshots__/db-1')
    expect([status, body.code]).toEqual([422, 'INVALID_SNAPSHOT'])
    expect(body.message).not.toContain(directory)
    expect(restore).not.toHaveBeenCalled()
  },
)

it.each([
  ['WRITE_FAILED', 503, 'WRITE_FAILED'],
  ['INVALID_DATA', 422, 'INVALID_SNAPSHOT'],
] as const)('a restore that fails with %s answers %i', async (reason, status, code) => {
  await writeFile(join(directory, 'db-1.json'), '{"products":[]}')
  restore.mockRejectedValueOnce(new StorageError(reason, 'It did not work'))
  const answer = await client().put('/__snapshots__/db-1')
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

it.each(['patch', 'put', 'delete'] as const)('%s on the list is a 404 {}', async (verb) => {
  const { status, body } = await client()[verb]('/__snapshots__')
  expect([status, body]).toEqual([404, {}])
})

it.each([
  ['post', '/__snapshots__'],
  ['get', '/__snapshots__'],
  ['put', '/__snapshots__/db-1'],
] as const)('without a directory %s %s says how to enable snapshots', async (verb, path) => {
  const app = express().use(snapshots(WITHOUT_DIRECTORY))
  const { status, body } = await request(app)[verb](path)
  expect([status, body.code]).toEqual([404, 'SNAPSHOTS_DISABLED'])
  expect(body.message).toContain('--snapshots')
})

it.each([
  ['of another site', 'https://evil.example', false],
  ['without an origin to tell', 'null', false],
  ['on this machine', 'http://localhost:5173', true],
  ['that is trusted', 'https://app.example.com', true],
])('a page %s reads them; may it save, restore and delete? %s %s', async (_, origin, isAllowed) => {
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
    expect(await readdir(directory)).toEqual([saved.file])
    expect(restore).not.toHaveBeenCalled()
  }
})

it('leaves every other path alone', async () => {
  const app = express().use(snapshots({ directory, ...WITHOUT_DIRECTORY }))
  app.use((_req, res) => res.status(418).end())
  expect((await request(app).get('/__snapshots')).status).toBe(418)
})

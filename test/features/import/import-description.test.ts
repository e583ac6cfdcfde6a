import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importDescription, openDescription } from '../../../src/index.ts'
import { listOf, ok, ref } from '../../support/described.ts'
import { folderOf } from '../../support/folder.ts'
import { openApi } from '../../support/http/serve.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  servers: [{ url: '/api' }],
  paths: {
    '/users': { get: { responses: ok(listOf(ref('User'))) } },
    '/users/{id}': { get: { responses: ok(ref('User')) } },
    '/shop/orders': { get: { responses: ok(listOf(ref('Order'))) } },
    '/shop/orders/{id}': { get: { responses: ok(ref('Order')) } },
    '/ping': { get: { responses: ok({ type: 'string' }) } },
  },
  components: {
    schemas: {
      User: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, userId: { type: 'integer' } },
      },
    },
  },
}

/** A folder with the description, and how to import it there. */
function folderWith(files: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({ 'openapi.json': DOCUMENT, ...files })
  const at = (name: string) => join(folder, name)
  const run = async (to: string, options: Partial<Parameters<typeof importDescription>[0]> = {}) => {
    return importDescription({ from: at('openapi.json'), to: at(to), ...options })
  }
  const read = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'))
  const texts = () => readdirSync(folder).map((name) => [name, readFileSync(at(name), 'utf8')])
  return { folder, at, run, read, texts }
}

describe('importDescription', () => {
  it('writes data, config and rewrite rules, which serve what was described', async () => {
    const { run, read, at } = folderWith()
    const imported = await run('db.json', { rows: 3 })
    expect(imported?.report.operations).toEqual({ all: 5, used: 4, unused: 1 })
    expect(imported?.lines).toContain('2 resources, 4 of 5 operations used')
    const { source, routes, ...config } = read('restable.config.json')
    expect([source, routes]).toEqual(['db.json', 'routes.json'])
    const { ask } = await openApi({ ...config, source: at(source), routes: at(routes) })
    expect((await ask('GET', '/api/shop/orders/2')).body).toEqual(read('db.json').orders[1])
    expect((await ask('POST', '/api/users', { name: 7 })).status).toBe(422)
    expect((await ask('POST', '/api/users', { name: 'Ada' })).body).toEqual({ id: 4, name: 'Ada' })
  })

  it('writes a file for each resource of a folder', async () => {
    const { run, read, folder, at } = folderWith()
    await run('data', { rows: 2 })
    expect(readdirSync(at('data'))).toEqual(['orders.json', 'users.json'])
    expect(read('data/users.json')).toHaveLength(2)
    expect(read('restable.config.json').source).toBe('data')
    expect(readdirSync(folder).toSorted()).toEqual([
      'data',
      'openapi.json',
      'restable.config.json',
      'routes.json',
    ])
  })

  it('gives the data alone as text', async () => {
    const { folder, at } = folderWith()
    const imported = await importDescription({ from: at('openapi.json'), to: '-', rows: 1 })
    expect(Object.keys(JSON.parse(imported?.text ?? ''))).toEqual(['users', 'orders'])
    expect(readdirSync(folder)).toEqual(['openapi.json'])
  })

  it.each([
    ['the data', { 'db.json': {} }, /db\.json is there already/],
    ['the config', { 'restable.config.json': {} }, /restable\.config\.json is there already/],
    ['the rules', { 'routes.json': {} }, /routes\.json is there already/],
    ['another config', { 'json-server.json': { port: 3001 } }, /json-server\.json is there already/],
    [
      'a config of code',
      { 'restable.config.ts': 'export default {}' },
      /restable\.config\.ts has the settings.*Add to it: \{/,
    ],
    ['a key in package.json', { 'package.json': { restable: {} } }, /package\.json has the settings/],
  ])('changes nothing where %s is there', async (_, files, message) => {
    const { run, texts } = folderWith(files)
    const before = texts()
    await expect(run('db.json')).rejects.toThrow(message)
    expect(texts()).toEqual(before)
  })

  it('merges what is missing, and the second time changes no byte', async () => {
    const users = [{ id: 1, name: 'Mine' }]
    const config = { port: 3001, resources: { users: { unique: ['name'] } } }
    const { run, read, texts } = folderWith({
      'db.json': { users, notes: [] },
      'restable.config.json': config,
    })
    const imported = await run('db.json', { merge: true, rows: 3 })
    const { users: rows, notes, orders } = read('db.json')
    expect(rows[0]).toEqual(users[0])
    expect([rows.length, notes, orders.length]).toEqual([3, [], 3])
    expect(read('restable.config.json')).toMatchObject({
      port: 3001,
      resources: { users: { unique: ['name'], schema: {} } },
    })
    expect(imported?.lines).toContain('1 rows or settings were there with other values, and stay.')
    const before = texts()
    expect((await run('db.json', { merge: true, rows: 3 }))?.lines[0]).toBe('Everything was there already.')
    expect(texts()).toEqual(before)
  })

  it('replaces the collections that it has, and no others', async () => {
    const { run, read } = folderWith({ 'db.json': { users: [{ id: 9 }], notes: [{ id: 1 }] } })
    await run('db.json', { replace: true, rows: 1 })
    expect(read('db.json')).toMatchObject({ users: [{ id: 1 }], notes: [{ id: 1 }], orders: [{ id: 1 }] })
  })

  it.each([
    ['a dry run', { dryRun: true }, true],
    ['a strict one, if something is not used', { strict: true }, false],
  ])('writes nothing in %s', async (_, options, isDone) => {
    const { run, folder } = folderWith()
    const imported = await run('db.json', options)
    expect(imported?.isDone).toBe(isDone)
    expect(imported?.report.unused).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(['openapi.json'])
  })

  it('uses only the paths that are wanted', async () => {
    const { run, read } = folderWith()
    const imported = await run('db.json', { only: '/users/**', strict: true })
    expect(imported?.report.operations).toEqual({ all: 2, used: 2, unused: 0 })
    expect(Object.keys(read('db.json'))).toEqual(['users'])
  })

  it('writes nothing once it is interrupted', async () => {
    const { run, folder } = folderWith()
    await expect(run('db.json', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    expect(readdirSync(folder)).toEqual(['openapi.json'])
  })

  it.each([
    ['JSON', 'openapi.json', '{\n  "openapi": "3.1.0",\n  "paths": {,}\n}', /line 3, column 13/],
    ['YAML', 'openapi.yaml', 'openapi: 3.1.0\npaths:\n  "/a: {}\n', /line \d+, column \d+/],
    ['aliases that mean too much', 'openapi.yaml', bomb(), /its aliases mean too much/],
  ])('names the place of a fault in %s, and writes nothing', async (_, name, text, message) => {
    const folder = folderOf({ [name]: text })
    const to = join(folder, 'db.json')
    await expect(importDescription({ from: join(folder, name), to })).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([name])
  })

  it('reads files in the folder of the description, and none outside', async () => {
    const folder = folderOf({
      'api/openapi.yaml': `
openapi: 3.0.3
paths:
  /pets: { $ref: 'paths/pets.yaml' }
  /pets/{id}: { get: { responses: { 200: { content: { application/json: { schema: { $ref: 'schemas.json#/Pet' } } } } } } }
  /keys: { get: { responses: { 200: { content: { application/json: { schema: { $ref: '../secret.json' } } } } } } }
`,
      'api/paths/pets.yaml': `
get: { responses: { 200: { content: { application/json: { schema: { type: array, items: { $ref: '../schemas.json#/Pet' } } } } } } }
`,
      'api/schemas.json': {
        Pet: {
          type: 'object',
          required: ['id', 'kind'],
          properties: { id: { type: 'integer' }, kind: { $ref: '#/Kind' } },
        },
        Kind: { enum: ['cat', 'dog'] },
      },
      'secret.json': { type: 'object' },
    })
    const described = await openDescription(join(folder, 'api/openapi.yaml'))
    expect(described?.data).toMatchObject({
      pets: Array(10).fill({ kind: expect.stringMatching(/^(?:cat|dog)$/) }),
    })
    expect(described?.report.unused).toMatchObject([
      { place: 'paths./keys.get', why: expect.stringContaining('../secret.json') },
    ])
  })

  it('leaves data alone', async () => {
    const folder = folderOf({ 'db.json': { openapi: [{ id: 1 }] } })
    expect(
      await importDescription({ from: join(folder, 'db.json'), to: join(folder, 'x.json') }),
    ).toBeUndefined()
    writeFileSync(join(folder, 'y.json'), '{"openapi": "3.x", "posts": []}')
    expect(await openDescription(join(folder, 'y.json'))).toBeUndefined()
    expect(existsSync(join(folder, 'x.json'))).toBe(false)
  })
})

/** Nine levels of nine aliases each. */
function bomb(): string {
  const lines = Array.from(
    { length: 9 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(', ')}]`,
  )
  return ['openapi: 3.1.0', 'l0: &l0 [1, 2]', ...lines, 'paths: {}'].join('\n')
}

import { access, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endLaunched, type Launched, launch } from '../support/launch.ts'

const DATA = {
  products: [{ id: 1, name: 'Desk lamp', price: 39.9, company_id: 1 }],
  companies: [{ id: 1, name: 'Bright Rooms' }],
}

let cwd: string

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'restable-describe-'))
  await write('db.json', JSON.stringify(DATA))
})

afterEach(async () => {
  endLaunched()
  await rm(cwd, { recursive: true, force: true })
})

const restable = (args: string): Launched => launch(args.split(' ').filter(Boolean), { cwd })
const write = (name: string, text: string) => writeFile(join(cwd, name), text)
const read = (name: string) => readFile(join(cwd, name), 'utf8')

describe('restable types', () => {
  it('prints the types of a file', async () => {
    const command = restable('types db.json --foreignKeySuffix _id')
    expect(await command.ended).toBe(0)
    expect(command.stderr()).toBe('')
    expect(command.stdout()).toMatch(/^\/\/ Made by `restable types` from db\.json\./)
    expect(command.stdout()).toContain('export interface Product {\n  id: number\n  name: string')
    expect(command.stdout()).toContain('"/companies/{id}/products"')
  })

  it('writes them to a file, and leaves it alone when nothing has changed', async () => {
    const first = restable('types db.json --out api.d.ts')
    expect(await first.ended).toBe(0)
    expect(first.stdout()).toBe('Wrote api.d.ts\n')
    const { mtimeMs } = await stat(join(cwd, 'api.d.ts'))
    const second = restable('types db.json -o api.d.ts')
    expect(await second.ended).toBe(0)
    expect(second.stdout()).toBe('api.d.ts is up to date\n')
    expect((await stat(join(cwd, 'api.d.ts'))).mtimeMs).toBe(mtimeMs)
  })

  it('goes by the config file', async () => {
    await write(
      'restable.config.json',
      '{ "source": "db.json", "read-only": true, "quiet": true, "watch": true }',
    )
    const command = restable('types --out api.d.ts')
    expect(await command.ended).toBe(0)
    expect(command.stdout()).toBe('')
    expect(await read('api.d.ts')).not.toContain('NewProduct')
  })

  it('takes data that a program computes', async () => {
    await write('data.mjs', 'export default () => ({ posts: [{ id: 1, at: "2026-01-01" }] })')
    const command = restable('types data.mjs')
    expect(await command.ended).toBe(0)
    expect(command.stdout()).toContain('interface Post {')
  })

  it('makes no file that is missing', async () => {
    const command = restable('types shop.json')
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toBe('source: there is no file "shop.json". Check the path.\n')
    await expect(access(join(cwd, 'shop.json'))).rejects.toThrow()
  })

  it.each([
    [
      'types db.json --out db.json',
      '--out: "db.json" is what the description is made from. Name another file.',
    ],
    ['types db.json --out ./db.json', '--out: "./db.json" is what the description is made from.'],
    ['types db.json --out link.json', '--out: "link.json" is what the description is made from.'],
    [
      'openapi db.json -r routes.json --out routes.json',
      '--out: "routes.json" is what the description is made from.',
    ],
    [
      'types db.json --out nowhere/api.d.ts',
      '--out: "nowhere/api.d.ts" cannot be written (its folder does not exist).',
    ],
    ['types db.json --out', '--out needs a value. For example: --out api.d.ts'],
    [
      'types db.json --watch',
      '--watch needs a file to write. For example: restable types --out api.d.ts --watch',
    ],
    ['types db.json other.json', 'One source is served'],
    ['types', 'There is nothing to serve. Name a source'],
    ['types --hosted public', 'hosted: there is no data of yours to describe.'],
    ['openapi broken.json', 'broken.json is not valid JSON'],
    ['db.json --out api.d.ts', 'There is no flag --out.'],
    ['types db.json --oot x', 'There is no flag --oot. Did you mean --out?'],
  ])('says in one line what is wrong with "%s", and ends with 1', async (args, message) => {
    await write('broken.json', '{ "a": ')
    await write('routes.json', '{}')
    await symlink(join(cwd, 'db.json'), join(cwd, 'link.json'))
    const command = restable(args)
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toMatch(/^[^\n]+\n$/)
    expect(command.stderr()).toContain(message)
    expect(JSON.parse(await read('db.json'))).toEqual(DATA)
  })

  it.each(['serve types', './types'])(
    'does not stand in the way of a source: "%s" is refused as ever',
    async (args) => {
      const command = restable(args)
      expect(await command.ended).toBe(1)
      expect(command.stderr()).toMatch(/"(\.\/)?types"/)
    },
  )
})

describe('restable openapi', () => {
  it('prints the document of the server that would be started', async () => {
    await write('routes.json', '{ "/api/*": "/$1" }')
    const command = restable('openapi db.json --port 4000 --host 0.0.0.0 -r routes.json -m api-key ./mine.js')
    expect(await command.ended).toBe(0)
    const document = JSON.parse(command.stdout())
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'db.json' },
      servers: [{ url: 'http://localhost:4000' }, { url: 'http://localhost:4000/api' }],
      components: { securitySchemes: { 'api-key': { name: 'X-API-KEY' } } },
    })
    expect(document.info.description).toContain('mine.js')
  })
})

describe.each([
  ['types', 'TypeScript types of the data'],
  ['openapi', 'OpenAPI 3.1 document of the API'],
])('restable %s --help', (what, title) => {
  it('tells what it does, in lines that fit', async () => {
    const command = restable(`${what} --help`)
    expect(await command.ended).toBe(0)
    expect(command.stdout()).toContain(`restable ${what} [source] [flags]    ${title}`)
    expect(command.stdout()).toMatch(/--out FILE +file to write/)
    expect(
      command
        .stdout()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([])
  })

  it('is named in the help of all', async () => {
    const command = restable('--help')
    await command.ended
    expect(command.stdout()).toContain(`restable ${what} [source] --out FILE`)
  })
})

describe('--watch', () => {
  it('writes again when the data, the rules or the config change, says what is wrong, and ends with 0', async () => {
    await write('restable.config.json', '{ "source": "db.json", "routes": "routes.json" }')
    await write('routes.json', '{}')
    const command = restable('openapi --out openapi.json --watch')
    await command.printed(/Wrote openapi\.json/)
    const until = (text: string) =>
      vi.waitUntil(async () => (await read('openapi.json')).includes(text), { timeout: 10_000 })

    await write('db.json', JSON.stringify({ ...DATA, orders: [] }))
    await until('"/orders"')
    await write('routes.json', '{ "/all-orders": "/orders" }')
    await until('"/all-orders"')
    await write('db.json', '{ "broken": ')
    await command.printed(/db\.json is not valid JSON/)
    await write('db.json', JSON.stringify({ mended: [] }))
    await until('"/mended"')
    await write('restable.config.json', '{ "source": "db.json", "read-only": true }')
    await until('read-only')

    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(0)
  })

  it('takes over what a program computes anew', async () => {
    await write('data.mjs', 'export default { posts: [{ id: 1 }] }')
    const command = restable('types data.mjs --out api.d.ts --watch')
    await command.printed(/Wrote api\.d\.ts/)
    await write('data.mjs', 'export default { users: [{ id: 1 }] }')
    await vi.waitUntil(async () => (await read('api.d.ts')).includes('interface User '), { timeout: 10_000 })
    command.child.kill('SIGINT')
    expect(await command.ended).toBe(0)
  })
})

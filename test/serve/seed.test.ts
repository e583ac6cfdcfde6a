import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseArgs } from '../../src/cli/args.ts'
import { type StartOptions, start } from '../../src/index.ts'
import { folderOf } from '../support/folder.ts'
import { serve } from '../support/http/serve.ts'
import { json } from '../support/http/serving.ts'

const SEED = '{ "posts": [{ "id": 1, "title": "seed" }] }'
let folder = ''
const at = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(at(name), 'utf8')

beforeEach(() => {
  folder = folderOf()
})

async function serveSeed(options: StartOptions) {
  const lines: string[] = []
  const server = await serve({ print: (line) => lines.push(line), ...options })
  const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
  const post = (path: string, body: unknown = {}) => fetch(server.url + path, json('POST', body))
  return { server, lines, get, post }
}

describe('a seed', () => {
  beforeEach(() => writeFileSync(at('seed.json'), SEED))

  it('is what a missing data file is made of, byte for byte, and stays as it is', async () => {
    const { get, post, lines } = await serveSeed({ source: at('db.json'), seed: at('seed.json') })
    expect(read('db.json')).toBe(SEED)
    expect(lines.join('\n')).toContain(`created it from ${at('seed.json')}`)
    await post('/posts', { title: 'b' })
    expect(await get('/posts')).toHaveLength(2)
    expect(read('seed.json')).toBe(SEED)
  })

  it('is what a reset goes back to, as it is by then', async () => {
    writeFileSync(at('db.json'), '{ "posts": [], "news": [] }')
    const { get, server, post } = await serveSeed({ source: at('db.json'), seed: at('seed.json') })
    expect(await get('/db')).toEqual({ posts: [], news: [] })
    expect((await post('/__reset')).status).toBe(200)
    expect(JSON.parse(read('db.json'))).toEqual(JSON.parse(SEED))
    writeFileSync(at('seed.json'), '{ "posts": [] }')
    await server.reset()
    expect(await get('/db')).toEqual({ posts: [] })
  })

  it('may be a program, whose data nobody gets to change', async () => {
    writeFileSync(at('seed.mjs'), 'export default { posts: [{ id: 1 }] }')
    const { get, server, post } = await serveSeed({ source: at('db.json'), seed: at('seed.mjs') })
    for (const _ of ['once', 'again']) {
      await post('/posts', { title: 'b' })
      await server.reset()
      expect(await get('/db')).toEqual({ posts: [{ id: 1 }] })
    }
  })

  it.each([
    ['seed.mjs', 'export default'],
    ['seed.cjs', 'module.exports ='],
  ])('that is a program is what a reset goes back to, as it is by then: %s', async (name, start) => {
    const seeded = { source: at('db.json'), seed: at(name) }
    writeFileSync(at(name), `${start} {`)
    await expect(serveSeed(seeded)).rejects.toThrow(name)
    writeFileSync(at(name), `${start} { posts: [{ id: 1, at: Math.random() }] }`)
    const { get, server } = await serveSeed(seeded)
    const first = await get('/db')
    await server.reset()
    expect(await get('/db')).toEqual(first)
    writeFileSync(at(name), `${start} { posts: [{ id: 2 }] }`)
    await server.reset()
    expect(await get('/db')).toEqual({ posts: [{ id: 2 }] })
    writeFileSync(at(name), `${start} { posts: [`)
    await expect(server.reset()).rejects.toMatchObject({ code: 'INVALID_DATA' })
    writeFileSync(at(name), `${start} { posts: [{ id: 3 }] }`)
    await server.reset()
    expect(await get('/db')).toEqual({ posts: [{ id: 3 }] })
  })

  it('that is a program is loaded again if what it imports was edited', async () => {
    writeFileSync(at('rows.cjs'), 'module.exports = [{ id: 1 }]')
    writeFileSync(at('seed.cjs'), "module.exports = { posts: require('./rows.cjs') }")
    const { get, server } = await serveSeed({ source: at('db.json'), seed: at('seed.cjs') })
    writeFileSync(at('rows.cjs'), 'module.exports = [{ id: 20 }]')
    await server.reset()
    expect(await get('/db')).toEqual({ posts: [{ id: 20 }] })
  })

  it.each([
    ['nowhere.json', 'nowhere.json does not exist'],
    ['broken.json', 'broken.json'],
    ['nowhere.mjs', 'there is no file'],
  ])('that cannot be read stops the start: %s', async (name, reason) => {
    writeFileSync(at('broken.json'), '{ "posts": [')
    const message = expect.stringMatching(new RegExp(`^seed: .*${reason}`))
    await expect(start({ source: at('db.json'), seed: at(name) })).rejects.toMatchObject({ message })
    expect(existsSync(at('db.json'))).toBe(false)
  })

  it.each<[string, () => void, string]>([
    ['broken', () => writeFileSync(at('seed.json'), '{ "posts": ['), 'seed.json'],
    ['missing', () => rmSync(at('seed.json')), 'seed.json does not exist'],
  ])('that is %s by then resets nothing, and the answer says why', async (_, spoil, reason) => {
    const { get, post } = await serveSeed({ source: at('db.json'), seed: at('seed.json') })
    await post('/posts', { title: 'b' })
    spoil()
    const refused = await post('/__reset')
    expect(refused.status).toBe(500)
    expect(await refused.json()).toMatchObject({
      code: 'INVALID_DATA',
      message: expect.stringMatching(new RegExp(`^Nothing was changed. seed: [^/]*${reason}`)),
    })
    expect(await get('/posts')).toHaveLength(2)
  })

  it('works with data from a program, too', async () => {
    const { server, get } = await serveSeed({ data: { posts: [] }, seed: at('seed.json') })
    await server.reset()
    expect(await get('/db')).toEqual(JSON.parse(SEED))
  })
})

describe('persist: false', () => {
  it('serves a file and writes nothing', async () => {
    writeFileSync(at('db.json'), SEED)
    const { get, post, server } = await serveSeed({ source: at('db.json'), persist: false })
    expect((await post('/posts', { title: 'b' })).status).toBe(201)
    expect(await get('/posts')).toHaveLength(2)
    await server.reset()
    expect(await get('/posts')).toHaveLength(1)
    expect(read('db.json')).toBe(SEED)
  })

  it.each([
    ['a sample', {}, 'profile'],
    ['the seed', { seed: 'seed.json' }, 'posts'],
  ])('serves %s where there is no file, and creates none', async (_, { seed }: { seed?: string }, name) => {
    writeFileSync(at('seed.json'), SEED)
    const options = { source: at('db.json'), persist: false, ...(seed && { seed: at(seed) }) }
    const { get } = await serveSeed(options)
    expect(await get('/db')).toHaveProperty(name)
    expect(existsSync(at('db.json'))).toBe(false)
  })

  it('takes over edits of the file, where it is watched', async () => {
    writeFileSync(at('db.json'), SEED)
    const { get, post, server } = await serveSeed({ source: at('db.json'), persist: false, watch: true })
    await post('/posts', { title: 'b' })
    writeFileSync(at('db.json'), '{ "posts": [{ "id": 7 }] }')
    await expect.poll(() => get('/db')).toEqual({ posts: [{ id: 7 }] })
    await post('/posts', { title: 'c' })
    await server.reset()
    expect(await get('/db')).toEqual({ posts: [{ id: 7 }] })
  })
})

it('a file that cannot be written is named once, with the flag that helps', async () => {
  writeFileSync(at('db.json'), SEED)
  const { post, lines } = await serveSeed({ source: at('db.json') })
  rmSync(folder, { recursive: true })
  for (const _ of ['once', 'again']) expect((await post('/posts')).status).toBe(503)
  mkdirSync(folder)
  expect(lines.filter((line) => line.includes('--no-persist'))).toHaveLength(1)
})

it.each<[readonly string[], object]>([
  [['db.json', '--seed', 'seed.json'], { source: 'db.json', seed: 'seed.json' }],
  [['db.json', '--no-persist'], { source: 'db.json', persist: false }],
])('the command understands %j', (argv, settings) => {
  expect(parseArgs(argv)).toEqual({ kind: 'start', settings })
})

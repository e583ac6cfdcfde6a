import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { freePort } from '../support/child/free-port.ts'
import { folderOf } from '../support/folder.ts'
import { runs } from '../support/length.ts'
import { type Installed, install } from '../support/package/install.ts'

/** Ids are strings, as json-server 1.0 makes them. */
const data = {
  posts: Array.from({ length: 23 }, (_, at) => ({
    id: String(at + 1),
    title: `${at % 2 ? 'Post' : 'note'} ${String.fromCharCode(97 + (at % 7))}`,
    views: (at * 7) % 11,
    isDraft: at % 3 === 0,
    author: { name: `author ${at % 4}`, age: 20 + (at % 5) },
  })),
}

let folder: string
let oracle: Installed
let child: ChildProcess
let theirs: string
let ours: RunningServer

beforeAll(async () => {
  folder = folderOf({ 'db.json': data })
  const file = join(folder, 'db.json')
  oracle = await install('json-server@1.0.0-beta.15')
  const port = await freePort()
  const program = join(oracle.require.resolve('json-server/package.json'), '../lib/bin.js')
  child = spawn(process.execPath, [program, file, '--host', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout) await once(child.stdout, 'data')
  theirs = `http://127.0.0.1:${port}`
  ours = await start({ data: structuredClone(data) })
}, 180_000)
afterAll(async () => {
  await ours?.close()
  if (child?.exitCode === null) {
    child.kill()
    await once(child, 'exit')
  }
})

async function both(query: string): Promise<readonly [unknown, unknown]> {
  const ask = async (url: string) => (await fetch(`${url}/posts?${query}`)).json()
  return Promise.all([ask(ours.url), ask(theirs)])
}

const where = (value: unknown) => `_where=${encodeURIComponent(JSON.stringify(value))}`

describe('json-server 1.0 answers the same', () => {
  it.each([
    '',
    'views:gt=5',
    'views:lt=5',
    'views:gte=5',
    'views:lte=5',
    'views:ne=5',
    'views:eq=5',
    'views=5',
    'views_gt=5&views_lt=9',
    'views:in=1,2,3',
    'title:contains=POST',
    'title:startsWith=no',
    'title:endsWith=C',
    'isDraft=true',
    'author.name=author 1',
    'author.age:gt=22',
    '_sort=views',
    '_sort=-views',
    '_sort=views,-author.name',
    '_sort=-author.age,views',
    '_page=1&_per_page=10',
    '_page=3&_per_page=10',
    '_page=9&_per_page=10',
    '_page=1&_per_page=100',
    '_page=0&_per_page=5',
    '_page=2&_per_page=5&_sort=-views&isDraft=false',
    where({ views: { gt: 5 } }),
    where({ views: { gt: 5, lt: 9 }, isDraft: { eq: false } }),
    where({ or: [{ views: { gt: 8 } }, { author: { name: { eq: 'author 1' } } }] }),
    where({ views: { in: [1, 2] }, or: [{ title: { startsWith: 'p' } }, { title: { endsWith: 'a' } }] }),
    where({ or: [] }),
    where({}),
    `${where({ author: { age: { lte: 21 } } })}&_sort=-views&_page=1&_per_page=3`,
  ])('%s', async (query) => {
    const [answer, expected] = await both(query)
    expect(answer).toEqual(expected)
  })

  it('to random conditions and groups', async () => {
    const views = fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq', 'ne'), fc.nat({ max: 12 }))
    const texts = fc.tuple(
      fc.constantFrom('contains', 'startsWith', 'endsWith'),
      fc.constantFrom('P', 'note', ' ', 'B'),
    )
    const leaf = fc.oneof(
      views.map(([op, value]) => ({ views: { [op]: value } })),
      views.map(([op, value]) => ({ author: { age: { [op]: value + 15 } } })),
      texts.map(([op, value]) => ({ title: { [op]: value } })),
    )
    const tree = fc
      .tuple(leaf, fc.array(leaf, { minLength: 1, maxLength: 3 }))
      .map(([one, or]) => ({ ...one, or }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(leaf, tree), async (value) => {
        const [answer, expected] = await both(where(value))
        expect(answer).toEqual(expected)
      }),
      runs(100),
    )
  })
})

/** Where we part from it on purpose. */
describe('json-server 1.0 answers differently', () => {
  it.each<[string, string, number, number]>([
    ['1.0 forgets other filters beside _where', `views=5&${where({ isDraft: { eq: true } })}`, 1, 8],
    ['1.0 finds no id in a list, since it takes them for numbers', 'id:in=3, 1,99', 2, 0],
    ['1.0 compares kinds, we compare texts', where({ views: { eq: '5' } }), 2, 0],
    ['1.0 takes no plain value for eq', where({ views: 5 }), 2, 0],
    ['1.0 passes a nested field that is not there', where({ title: { nothing: { gt: 1 } } }), -1, 23],
  ])('%s', async (_, query, here, there) => {
    const [answer, expected] = await both(query)
    const count = (value: unknown) => (Array.isArray(value) ? value.length : -1)
    expect([count(answer), count(expected)]).toEqual([here, there])
  })
})

/** The rows of docs/json-server.md on the betas. Last: they write. */
describe('docs/json-server.md says of json-server 1.0 what is so', () => {
  const post = (body: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const sizeOf = (value: unknown) => (Array.isArray(value) ? value.length : Object.keys(Object(value)).length)

  it.each<[string, string, RequestInit, [number, unknown], [number, unknown]]>([
    ['404', '/posts/99', {}, [404, {}], [404, { error: 'Not Found' }]],
    ['a list', '/posts', post('[{"title":"x"}]'), [201, expect.any(Array)], [400, expect.anything()]],
    [
      'bad JSON',
      '/posts',
      post('{"a":'),
      [400, expect.objectContaining({ code: 'MALFORMED_JSON' })],
      [500, null],
    ],
    ['DELETE', '/posts/23', { method: 'DELETE' }, [200, {}], [200, expect.objectContaining({ id: '23' })]],
  ])('%s', async (_, path, init, here, there) => {
    const ask = async (url: string) => {
      const response = await fetch(`${url}${path}`, init)
      return [response.status, await response.json().catch(() => null)]
    }
    expect(await Promise.all([ask(ours.url), ask(theirs)])).toEqual([here, there])
  })

  it('_page alone: an envelope there, a list here, of ten', async () => {
    const [answer, expected] = await both('_page=1')
    expect([sizeOf(answer), sizeOf(Object(expected).data)]).toEqual([10, 10])
  })

  it('the id of a client: dropped there, kept here', async () => {
    const create = async (url: string) =>
      Object(await (await fetch(`${url}/posts`, post('{"id":"mine"}'))).json()).id
    expect(await create(ours.url)).toBe('mine')
    expect(await create(theirs)).not.toBe('mine')
  })
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/features/start-options.ts'
import { start } from '../../../src/serve/start.ts'
import { folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'
import { json } from '../../support/http/serving.ts'
import { eventually, Folder, printed } from '../../support/http/watched.ts'

let folder: string

beforeEach(() => {
  folder = folderOf()
})

/** What is said at the start. */
async function warnings(options: StartOptions): Promise<readonly string[]> {
  const lines: string[] = []
  const server = await start({ ...options, print: (line) => lines.push(line) })
  await server.close()
  return lines
}

async function written(text: string): Promise<string> {
  const file = join(folder, 'db.json')
  await writeFile(file, text)
  return file
}

describe('a data file', () => {
  it.each([
    ['', 'db.json has no data, so there is nothing to serve. Add collections, such as { "posts": [] }.'],
    [' \n', 'db.json has no data'],
    ['{}', 'db.json has no data'],
    [
      '{ "posts": [{ "id": 1 }], "users": [], "posts": [{ "id": 2 }] }',
      'db.json repeats "posts" (line 1, column 40): only the last one is served. Merge or rename them.',
    ],
    [
      '{ "a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {} }',
      'db.json repeats "a" (line 1, column 57), "b" (line 1, column 66), "c" (line 1, column 75), "d" (line 1, column 84), "e" (line 1, column 93) and 1 more: only',
    ],
  ])('that holds %j is served with a warning', async (text, warning) => {
    expect(await warnings({ source: await written(text) })).toEqual([expect.stringContaining(warning)])
    expect(await warnings({ source: await written(text), quiet: true })).toEqual([])
  })
})

describe('numbers that JavaScript cannot hold', () => {
  const TEXT =
    '{ "posts": [\n  { "id": 1, "n": 12345678901234567890, "t": "\\"12345678901234567891" },\n  { "id": 2, "n": [1e400] }\n] }'
  const NUMBERS =
    '12345678901234567890 (line 2, column 19) is 12345678901234567000, 1e400 (line 3, column 20) is null'

  it('are told of when they are read, and when they are saved, also if an edit brings them', async () => {
    const lines: string[] = []
    const { url } = await serve({ source: await written(TEXT), print: (line) => lines.push(line) })
    expect(lines).toEqual([
      `db.json has numbers that JavaScript cannot hold: ${NUMBERS}. Put them in quotes.`,
    ])
    const post = () => fetch(`${url}/posts`, json('POST', {}))
    await post()
    await post()
    expect(lines.slice(1)).toEqual([`db.json was saved with other numbers than it had: ${NUMBERS} now.`])
    await written('{ "posts": [{ "id": 1e309 }] }')
    await post()
    expect(lines.slice(2)).toEqual([
      'db.json has numbers that JavaScript cannot hold: 1e309 (line 1, column 21) is null. Put them in quotes.',
      'db.json was saved with other numbers than it had: 1e309 (line 1, column 21) is null now.',
    ])
  })

  it('are told of in NDJSON, which is written by lines', async () => {
    const file = join(folder, 'rows.ndjson')
    await writeFile(file, '{"id":1}\n{"id":2,"n":12345678901234567890}\n')
    expect(await warnings({ source: file })).toEqual([
      'rows.ndjson has numbers that JavaScript cannot hold: 12345678901234567890 (line 2, column 13) is 12345678901234567000. Put them in quotes.',
    ])
  })

  it.each([
    '{ "posts": [{ "id": 1, "n": [1.50, 0.30000000000000004, 1e3, 9007199254740992, -0.0, 123456789012345680000] }] }',
    '{ "posts": [{ "id": 1, "n": "12345678901234567890", "e": 9007199254740994 }] }',
  ])('are not in %j', async (text) => {
    expect(await warnings({ source: await written(text) })).toEqual([])
  })
})

describe('ids', () => {
  const rows = (...ids: readonly unknown[]) => ids.map((id) => ({ id }))

  it.each([
    ['rise', rows(1, 2, 9)],
    ['fall', rows(3, 2, 1)],
    ['are words', rows('a', 'b')],
    ['are missing here and there', [{ id: 2 }, {}, { id: null }, {}, { id: 1 }]],
    ['are of rows that are not there', []],
  ])('that %s cause no warning', async (_, posts) => {
    expect(await warnings({ data: { posts } })).toEqual([])
  })

  it.each([
    [
      rows(1, 2, 2, 3, 3, 3),
      '"posts" has more than one row with the id 2, 3: only the first of them can be reached.',
    ],
    [rows(1, '1'), 'the id 1:'],
    [rows('b', 'a', 'b'), 'the id b:'],
    [[...rows(1, 2, 3, 4, 5, 6, 7), ...rows(1, 2, 3, 4, 5, 6, 7)], 'the id 1, 2, 3, 4, 5 and 2 more:'],
  ])('%j are remarked on', async (posts, warning) => {
    expect(await warnings({ data: { posts } })).toEqual([expect.stringContaining(warning)])
    expect(await warnings({ source: await written(JSON.stringify({ posts })) })).toEqual([
      expect.stringContaining(warning),
    ])
  })

  it('are checked under their configured name', async () => {
    const data = {
      posts: [{ _id: 1 }, { _id: 1 }],
      users: [
        { _id: 1, id: 1 },
        { _id: 2, id: 1 },
      ],
    }
    expect(await warnings({ data, id: '_id' })).toEqual([
      '"posts" has more than one row with the _id 1: only the first of them can be reached. Give each row its own _id.',
    ])
  })

  it.each([
    [
      { posts: [{ _id: 1 }], tags: ['x'] },
      'No row of "posts", "tags" has the field "id", so none can be reached under a path such as /posts/1. Start with --id _id, or add "id".',
    ],
    [{ posts: [{ title: 'a' }] }, 'such as /posts/1. Add "id" to them.'],
    [{ tags: ['new', 'old'] }, 'such as /tags/1. Make each an object, such as { "id": 1 }.'],
  ])('that no row of %j has are remarked on once', async (data, warning) => {
    expect(await warnings({ data })).toEqual([expect.stringContaining(warning)])
  })

  it('that no row has are remarked on where no URL can have the name, too', async () => {
    const found = (await warnings({ data: { 'half\ud83d': [{ title: 'a' }] } })).join('\n')
    expect(found).toContain('such as /half%EF%BF%BD/1. Add "id" to them.')
    expect(found).toContain('which no URL can have. Rename it.')
  })
})

describe('names', () => {
  it.each<[string, StartOptions, string]>([
    ['db', {}, '"db": GET /db returns the whole database, not this resource. Rename it.'],
    ['DB', {}, '"DB": GET /DB returns the whole database'],
    ['__rules', {}, 'returns the rewrite rules'],
    ['__snapshots__', {}, 'returns the snapshots'],
    ['__page', {}, 'returns the page'],
    ['__history', {}, '"__history": GET /__history returns something of this server, not this resource.'],
    ['__Clock', {}, 'returns something of this server'],
    ['stats', {}, '"stats": GET /stats returns this resource instead of the statistics.'],
    ['health-check', {}, 'instead of the health check'],
    ['my posts', {}, '"my posts" has a space in its name, so its path is /my%20posts.'],
    ['half \ud83d', {}, 'has half a surrogate pair in its name, which no URL can have. Rename it.'],
    [
      'login',
      { middlewares: ['jwt'], jwt: { secret: 'x'.repeat(32), users: [{ email: 'a@b.c', password: 'x' }] } },
      'with the jwt layer on, POST /login signs in',
    ],
  ])('"%s" is remarked on', async (name, options, warning) => {
    expect(await warnings({ data: { [name]: [], posts: [] }, ...options })).toEqual([
      expect.stringContaining(warning),
    ])
  })

  it('that a static file hides are remarked on', async () => {
    await writeFile(join(folder, 'posts'), 'x')
    await mkdir(join(folder, 'users'))
    const lines = await warnings({ data: { posts: [], users: [], tags: [], '..': [] }, static: folder })
    expect(lines).toEqual([
      `"posts": GET /posts returns ${join(folder, 'posts')}, not this resource. Rename one of them.`,
      expect.stringContaining(`"users": GET /users returns ${join(folder, 'users')}`),
    ])
  })

  it('cause no warning if nothing is in the way', async () => {
    expect(await warnings({ data: { posts: [], login: [], __other: [], 'a-b': {} } })).toEqual([])
  })
})

describe('with watch', () => {
  it('warns once about what a file has become', async () => {
    const place = await Folder.create()
    try {
      const source = await place.write('db.json', { posts: [{ id: 1 }] })
      const { get, lines } = await place.serve({ source })
      expect(lines).toEqual([])
      await place.write('db.json', '{ "posts": [{ "id": 1 }], "posts": [{ "id": 2 }, { "id": 2 }] }')
      await printed(lines, /db\.json repeats "posts"/)
      await printed(lines, /"posts" has more than one row with the id 2/)
      await printed(lines, /changed, reloaded/)
      await place.write(
        'db.json',
        '{ "posts": [{ "id": 1 }], "posts": [{ "id": 2 }, { "id": 2 }], "db": [] }',
      )
      await printed(lines, /"db": GET \/db returns/)
      await eventually(async () => expect(await get('/db/1')).toEqual({}))
      expect(lines.filter((line) => /repeats|more than/.test(line))).toHaveLength(2)
    } finally {
      await place.remove()
    }
  })
})

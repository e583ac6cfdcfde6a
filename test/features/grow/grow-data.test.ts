import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { growData, type StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'

const DATA = {
  posts: Array.from({ length: 9 }, (_, at) => ({ id: at + 1, title: `Post ${at * 7}` })),
  profile: { a: 1 },
}

async function folderWith(name = 'db.json', text = JSON.stringify(DATA, null, 2)) {
  const folder = folderOf({ [name]: text })
  const source = join(folder, name)
  const read = async (file = source) => JSON.parse(await readFile(file, 'utf8'))
  const grow = (
    counts: Record<string, number>,
    more: { seed?: number; out?: string; settings?: StartOptions } = {},
  ) => growData({ counts, ...more, settings: { source, ...more.settings } })
  return { folder, source, read, grow }
}

describe('growData()', () => {
  it('saves the rows in the file, after those that are there', async () => {
    const { read, grow } = await folderWith()
    expect(await grow({ posts: 3 }, { seed: 7 })).toEqual({ posts: 3 })
    const { posts, profile } = await read()
    expect({ posts: posts.slice(0, 9), profile }).toEqual(DATA)
    expect(posts.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('writes the same file with the same seed', async () => {
    const texts = await Promise.all(
      [1, 2].map(async () => {
        const { source, grow } = await folderWith()
        await grow({ posts: 50 }, { seed: 7 })
        return readFile(source, 'utf8')
      }),
    )
    expect(texts[0]).toBe(texts[1])
  })

  it('writes everything elsewhere, and leaves the source alone', async () => {
    const { folder, source, read, grow } = await folderWith(
      'data.mjs',
      `export default () => (${JSON.stringify(DATA)})`,
    )
    const out = join(folder, 'more.json')
    await grow({ posts: 3 }, { out })
    expect((await read(out)).posts).toHaveLength(12)
    await expect(grow({ posts: 3 }, { out })).rejects.toThrow('exists already. Name another file.')
    await expect(grow({ posts: 3 })).rejects.toThrow(
      `rows cannot be saved to "${source}". Write everything to a file`,
    )
  })

  it('refuses to add rows to a file that is served without saving', async () => {
    for (const [file, text] of [
      ['posts.json5', "[{ id: 1, title: 'x' }]"],
      ['db.json5', "{ posts: [{ id: 1, title: 'x' }] }"],
    ] as const) {
      const { source, grow } = await folderWith(file, text)
      await expect(grow({ posts: 3 })).rejects.toThrow(
        `rows cannot be saved to "${source}". Write everything to a file: --out db.json`,
      )
    }
  })

  it('goes by the settings', async () => {
    const { read, grow } = await folderWith()
    const schema = { required: ['mood'], properties: { mood: { enum: ['good', 'bad'] } } }
    await grow({ posts: 2 }, { settings: { resources: { posts: { schema, timestamps: true } } } })
    for (const post of (await read()).posts.slice(9)) {
      expect(post).toMatchObject({
        mood: expect.stringMatching(/^(good|bad)$/),
        createdAt: expect.any(String),
      })
    }
  })

  it('keeps password hashes, and gives new users none', async () => {
    const users = [{ id: 1, email: 'ada@a.test', password: '$2b$10$hash' }, null]
    const { read, grow } = await folderWith('db.json', JSON.stringify({ users }))
    await grow({ users: 1 }, { settings: { middlewares: ['accounts'] } })
    expect((await read()).users).toEqual([...users, { id: 2, email: expect.stringMatching(/@a\.test$/) }])
  })

  it.each<[Record<string, number>, StartOptions, string]>([
    [{ pots: 1 }, {}, 'There is no collection called pots. Did you mean posts?'],
    [{ posts: 2_000_000 }, {}, 'At most 1,000,000 rows can be added at a time'],
    [{ posts: 1 }, { source: 'nowhere.json' }, 'there is no file "nowhere.json"'],
    [{ posts: 1 }, { resources: { posts: { schema: 'no.json' } } }, 'no.json'],
  ])('changes nothing if it fails: %j %j', async (counts, settings, message) => {
    const { read, grow } = await folderWith()
    await expect(grow(counts, { settings })).rejects.toThrow(message)
    expect(await read()).toEqual(DATA)
  })

  it('says what to do if a server keeps the file', async () => {
    const { folder, grow } = await folderWith()
    // A folder where the lock belongs cannot be waited for.
    await mkdir(join(folder, '.db.json.lock'))
    await expect(grow({ posts: 1 })).rejects.toThrow('let that do it: POST /__grow {"posts":1}')
  })
})

import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

const DATA = { items: [{ id: 1, name: 'old' }] }
const OTHER = { items: [{ id: 1, name: 'theirs' }], notes: [{ id: 5, name: 'new' }] }

let home: string
let file: string
let server: RealServer

// Without watch, a change from outside is found at the next write: neither may be lost.
describe('a data file that others change while nobody watches it', () => {
  beforeAll(async () => {
    home = folderOf({ 'db.json': DATA })
    file = join(home, 'db.json')
    server = await serveHome(home)
  })

  beforeEach(async () => {
    await writeFile(file, JSON.stringify(DATA))
    expect((await server.ask('PUT', '/items/1', { name: 'old' })).status).toBe(200)
    expect(await server.served()).toEqual(DATA)
  })

  it('comes back whole with the next write when it was deleted', async () => {
    await rm(file)
    expect(await server.served()).toEqual(DATA)
    expect((await server.ask('POST', '/items', { name: 'mine' })).status).toBe(201)
    expect(await saved(home)).toEqual({ items: [...DATA.items, { name: 'mine', id: 2 }] })
    expect(await server.served()).toEqual(await saved(home))
  })

  it.each([
    ['written over', () => writeFile(file, JSON.stringify(OTHER))],
    [
      'replaced by another file',
      async () => {
        await writeFile(join(home, 'next'), JSON.stringify(OTHER))
        await rename(join(home, 'next'), file)
      },
    ],
    [
      'deleted and created again',
      async () => {
        await rm(file)
        await writeFile(file, JSON.stringify(OTHER))
      },
    ],
  ])('keeps what they wrote and what is written next when it was %s', async (_name, change) => {
    await change()
    expect((await server.ask('POST', '/items', { name: 'mine' })).status).toBe(201)
    expect(await saved(home)).toEqual({ ...OTHER, items: [...OTHER.items, { name: 'mine', id: 2 }] })
    expect(await server.served()).toEqual(await saved(home))
  })

  it.each([
    ['emptied', () => truncate(file, 0), /is empty/],
    ['cut off in the middle', () => truncate(file, 12), /not valid JSON/],
    ['half-written', () => writeFile(file, '{ "items": [ { "id": 1, "na'), /not valid JSON/],
    ['no text at all', () => writeFile(file, Buffer.from([0xff, 0xfe, 0x00])), /UTF-8/],
    ['an array', () => writeFile(file, '[]'), /an array/],
    ['null', () => writeFile(file, 'null'), /null/],
    ['a text', () => writeFile(file, '"items"'), /a string/],
    ['a collection that is a number', () => writeFile(file, '{ "items": 5 }'), /a number under "items"/],
  ])(
    'is left as they left it when it is %s, and writes go on once it is mended',
    async (_name, change, why) => {
      await copyFile(file, join(home, 'good.json'))
      await change()
      const broken = await readFile(file)
      const refused = await server.ask('POST', '/items', { name: 'mine' })
      expect(refused.status).toBe(503)
      expect(JSON.parse(refused.body)).toMatchObject({
        code: 'WRITE_FAILED',
        message: expect.stringMatching(why),
      })
      expect(refused.body).not.toContain(home)
      expect(await server.served()).toEqual(DATA)
      expect(await readFile(file)).toEqual(broken)

      await rename(join(home, 'good.json'), file)
      expect((await server.ask('POST', '/items', { name: 'mine' })).status).toBe(201)
      expect(await saved(home)).toEqual({ items: [...DATA.items, { name: 'mine', id: 2 }] })
      expect(await server.served()).toEqual(await saved(home))
    },
  )
})

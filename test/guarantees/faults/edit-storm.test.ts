import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { Random } from '../../support/faults/random.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const EDITS = asLong(10, 60)
/** Enough that a save takes longer than an edit waits. */
const ITEMS = Array.from({ length: 50_000 }, (_, n) => ({ id: n + 1, name: `item ${n}`, count: 0 }))

let home: string
let file: string
let server: RealServer

beforeAll(async () => {
  home = folderOf({ 'db.json': { items: ITEMS, notes: [] } })
  file = join(home, 'db.json')
  server = await serveHome(home)
})

/** Prepares an edited copy; returns a function that puts it in place and resolves with its inode. */
type Editor = (text: string) => Promise<() => Promise<number>>

const byRenaming: Editor = async (text) => {
  const copy = join(home, 'edited.json')
  await writeFile(copy, text)
  const { ino } = await stat(copy)
  return () => rename(copy, file).then(() => ino)
}

const inPlace: Editor = async (text) => async () => {
  const edited = await open(file, 'w')
  const { ino } = await edited.stat()
  await edited.writeFile(text)
  await edited.close()
  return ino
}

describe('a change from outside that lands during a save', () => {
  it.each([
    ['renamed over the file', byRenaming],
    ['written into the file', inPlace],
  ])(
    '%s: the edit stays, and so does what is being saved',
    { timeout: EDITS * 5000 },
    async (_name, edit) => {
      const random = new Random(13)
      let inTime = 0
      for (let n = 1; n <= EDITS; n += 1) {
        const note = { id: n, text: `edit ${n}` }
        const put = await edit(JSON.stringify({ items: ITEMS, notes: [note] }, null, 2))
        const patched = server.ask('PATCH', '/items/7', { count: n })
        await sleep(10 + random.below(56))
        const ino = await put()
        expect((await patched).status).toBe(200)
        const data = await saved(home)
        expect(data.notes).toEqual([note])
        // An edit that is put in place after the save wins.
        if ((await stat(file)).ino === ino) continue
        inTime += 1
        expect(row(data, 7)).toEqual({ ...ITEMS[6], count: n })
        expect(row(await server.served(), 7)).toEqual({ ...ITEMS[6], count: n })
      }
      expect(inTime).toBeGreaterThan(EDITS / 4)
    },
  )

  it('deletes it: the data is all there again, with what was being saved', async () => {
    await writeFile(file, JSON.stringify({ items: ITEMS, notes: [] }))
    expect((await server.ask('PATCH', '/items/7', { count: 0 })).status).toBe(200)
    await writeFile(file, JSON.stringify({ items: ITEMS, notes: [{ id: 1 }] }))
    const patched = server.ask('PATCH', '/items/8', { count: 5 })
    await sleep(10)
    await rm(file)
    expect((await patched).status).toBe(200)
    const data = await saved(home)
    expect(data.items).toHaveLength(ITEMS.length)
    expect(row(data, 8)).toEqual({ ...ITEMS[7], count: 5 })
  })

  it('takes away what is being changed: the change is refused as it would be now', async () => {
    await writeFile(file, JSON.stringify({ items: ITEMS, notes: [{ id: 1 }] }))
    const put = await byRenaming(JSON.stringify({ items: ITEMS.slice(0, 100), notes: [{ id: 5 }] }))
    const answers = [
      server.ask('PATCH', '/items/40000', { count: 1 }),
      server.ask('POST', '/notes', { id: 5 }),
      server.ask('POST', '/notes', { text: 'new' }),
    ]
    await sleep(10)
    await put()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 409, 201])
    expect((await saved(home)).notes).toEqual([{ id: 5 }, { text: 'new', id: 6 }])
  })
})

function row(data: Record<string, unknown>, id: number): unknown {
  return (data.items as { id: number }[])[id - 1]
}

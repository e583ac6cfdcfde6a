import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { DataFolder } from '../../../src/stores/file/data-folder.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { folderOf } from '../../support/folder.ts'

const OURS = { posts: [{ id: 1 }] }
const THEIRS = { posts: [{ id: 7 }] }

async function open(files: DataFiles) {
  const database = await files.load('id')
  const engine = new Engine(database, {
    id: 'id',
    foreignKeySuffix: 'Id',
    store: new FileStore(files, database),
  })
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  return engine
}

const dataOf = async (engine: Engine) => (await engine.read({ kind: 'database' })).found

it.each(['exclusive', 'write'] as const)(
  'an edit that is saved right before the `%s` of a reset is what it goes back to',
  async (step) => {
    const path = join(folderOf({ 'db.json': JSON.stringify(OURS) }), 'db.json')
    const files = new DataFiles(path)
    const engine = await open(files)
    let isEdited = false
    const edit = () => {
      if (!isEdited) writeFileSync(path, JSON.stringify(THEIRS))
      isEdited = true
    }
    const { exclusive, write } = files
    if (step === 'write') {
      files.write = (database) => {
        edit()
        return write.call(files, database)
      }
    } else {
      files.exclusive = <T>(work: () => Promise<T>) => {
        edit()
        return exclusive.call(files, work) as Promise<T>
      }
    }
    await engine.reset()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(THEIRS)
    expect(await dataOf(engine)).toEqual(THEIRS)
  },
)

it.each([
  ['that cannot be read', 'not JSON'],
  ['that clashes with another', '{ "tags": [], "posts": [{ "id": 9 }] }'],
  ['of another kind', '[]'],
])('a reset replaces a file %s, and writes go on', async (_, text) => {
  const folder = folderOf({ 'posts.json': '[{ "id": 1 }]', 'more.json': '{ "tags": [] }' })
  const engine = await open(new DataFiles(new DataFolder(folder)))
  writeFileSync(join(folder, 'more.json'), text)
  const add = () => engine.write({ kind: 'insert', collection: 'tags', rows: [{}] })
  await expect(add()).rejects.toThrow('The data file could not be written')
  await engine.reset()
  expect(await dataOf(engine)).toEqual({ posts: [{ id: 1 }], tags: [] })
  expect(JSON.parse(readFileSync(join(folder, 'more.json'), 'utf8'))).toEqual({ tags: [] })
  await add()
  const stored = await new DataFiles(new DataFolder(folder)).load('id')
  expect(stored.toData()).toEqual({ posts: [{ id: 1 }], tags: [{ id: 1 }] })
})

it('a reset replaces a file that was gone, and came back as what cannot be read', async () => {
  const folder = folderOf({ 'posts.json': '[{ "id": 1 }]', 'more.json': '{ "tags": [] }' })
  const [posts, more] = [join(folder, 'posts.json'), join(folder, 'more.json')]
  const engine = await open(new DataFiles([posts, more]))
  rmSync(more)
  await engine.refresh()
  writeFileSync(more, 'not JSON')
  await engine.reset()
  expect(JSON.parse(readFileSync(more, 'utf8'))).toEqual({ tags: [] })
})

it('a reset leaves a file alone that came beside one that it replaces', async () => {
  const folder = folderOf({ 'posts.json': '[{ "id": 1 }]' })
  const engine = await open(new DataFiles(new DataFolder(folder)))
  writeFileSync(join(folder, 'new.json'), '[{ "id": 5 }]')
  writeFileSync(join(folder, 'posts.json'), 'not JSON')
  await engine.reset()
  expect(await dataOf(engine)).toEqual({ posts: [{ id: 1 }] })
  await engine.refresh()
  expect(await dataOf(engine)).toEqual({ new: [{ id: 5 }], posts: [{ id: 1 }] })
})

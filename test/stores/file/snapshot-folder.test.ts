import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import {
  isSnapshotId,
  openSnapshots,
  SnapshotFolder,
  type Snapshots,
} from '../../../src/stores/file/snapshots.ts'
import { folderOf } from '../../support/folder.ts'

const NOW = 1_700_000_000_000
const DATA = { products: [{ id: 1, name: 'Pen' }], profile: { name: 'Ada' } }

let home: string
let directory: string
let engine: Engine
let snapshots: Snapshots
let folder: SnapshotFolder

beforeEach(() => {
  home = folderOf()
  directory = join(home, 'deep', 'snapshots')
  engine = new Engine(DATA, { id: 'id', foreignKeySuffix: 'Id' })
  snapshots = openSnapshots(engine, { directory, now: () => NOW, images: undefined })
  folder = new SnapshotFolder(directory, async () => [])
})

describe('saving', () => {
  it('creates the directory and names the file as json-server does', async () => {
    expect(await snapshots.save()).toEqual({
      id: 'db-1700000000000',
      file: 'db-1700000000000.json',
      createdAt: '2023-11-14T22:13:20.000Z',
    })
    expect(await readFile(join(directory, 'db-1700000000000.json'), 'utf8')).toBe(
      JSON.stringify(DATA, null, 2),
    )
  })

  it('gives every snapshot of one millisecond its own name, and leaves no other file', async () => {
    const saved = await Promise.all(Array.from({ length: 12 }, () => snapshots.save()))
    expect(new Set(saved.map(({ id }) => id)).size).toBe(12)
    expect((await readdir(directory)).sort()).toEqual(saved.map(({ file }) => file).sort())
    const contents = await Promise.all(saved.map(({ id }) => folder.read(id)))
    expect(contents).toEqual(Array.from({ length: 12 }, () => DATA))
  })

  it('removes what a killed process left, but not what another one is writing', async () => {
    await mkdir(directory, { recursive: true })
    const [old, fresh] = [`.new.${randomUUID()}.tmp`, `.new.${randomUUID()}.tmp`]
    for (const name of [old, fresh]) await writeFile(join(directory, name), '{')
    await utimes(join(directory, old), 1, 1)
    await snapshots.save()
    expect((await readdir(directory)).sort()).toEqual([fresh, 'db-1700000000000.json'].sort())
  })

  it('says WRITE_FAILED, and no path, when it cannot', async () => {
    await writeFile(join(home, 'deep'), 'a file where the directory should be')
    const failure = await snapshots.save().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StorageError)
    expect(failure).toMatchObject({ code: 'WRITE_FAILED' })
    expect(String(failure)).not.toContain(home)
  })
})

describe('listing', () => {
  it('is empty where there is no directory', async () => {
    expect(await snapshots.list()).toEqual([])
  })

  it('puts the newest first and leaves out anything that is not a snapshot', async () => {
    await mkdir(join(directory, 'db-5.json'), { recursive: true })
    const names = [
      'db-9.json',
      'db-10.json',
      'db-10-2.json',
      'db-10-10.json',
      'db.json',
      'db-x.json',
      'db-7.txt',
    ]
    for (const name of names) await writeFile(join(directory, name), '{}')
    await symlink(join(directory, 'db-9.json'), join(directory, 'db-11.json'))
    expect((await snapshots.list()).map(({ id }) => id)).toEqual(['db-10-10', 'db-10-2', 'db-10', 'db-9'])
  })
})

describe('reading and removing', () => {
  it('gives back what was saved, until it is removed', async () => {
    const { id } = await snapshots.save()
    expect(await folder.read(id)).toEqual(DATA)
    expect(await snapshots.find(id)).toMatchObject({ id })
    expect(await snapshots.remove(id)).toBe(true)
    expect(await snapshots.remove(id)).toBe(false)
    expect(await folder.read(id)).toBeUndefined()
    expect(await snapshots.find(id)).toBeUndefined()
  })

  it.each([
    '../secret',
    'db-1/../../secret',
    '/etc/passwd',
    'db-1\0',
    'db-1.json',
    '',
    'db-',
    'DB-1',
    'db-1\n',
  ])('does not accept %j as an id, and touches nothing', async (id) => {
    await writeFile(join(home, 'secret.json'), '{}')
    expect(isSnapshotId(id)).toBe(false)
    expect(await folder.read(id)).toBeUndefined()
    expect(await snapshots.remove(id)).toBe(false)
    expect(await readdir(home)).toContain('secret.json')
  })

  it('follows no symbolic link', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(home, 'secret.json'), '{"secret":[]}')
    await symlink(join(home, 'secret.json'), join(directory, 'db-1.json'))
    expect(await folder.read('db-1')).toBeUndefined()
    expect(await snapshots.remove('db-1')).toBe(false)
  })

  it.each(['', '{"products":[', 'null', '[]', '"text"', '7'])(
    'refuses a file that holds %j',
    async (text) => {
      await mkdir(directory, { recursive: true })
      await writeFile(join(directory, 'db-1.json'), text)
      await expect(folder.read('db-1')).rejects.toMatchObject({ code: 'INVALID_DATA' })
    },
  )

  it('refuses a file that is not UTF-8, in the words of the data file: it would be restored damaged', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(
      join(directory, 'db-1.json'),
      Buffer.from('{"products":[{"id":1,"name":"Caf\xe9"}]}', 'latin1'),
    )
    await expect(folder.read('db-1')).rejects.toThrow('Snapshot db-1 is not UTF-8 text. Save it as UTF-8.')
  })

  it('accepts a byte order mark', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'db-1.json'), '\uFEFF{"products":[]}')
    expect(await folder.read('db-1')).toEqual({ products: [] })
  })
})

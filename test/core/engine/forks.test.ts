import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Database } from '../../../src/core/engine/data/database.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { folderOf } from '../../support/folder.ts'
import { describeEngine } from './engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describeEngine('a fork of a file, which stays as it is', {
  open(data) {
    const folder = folderOf()
    const path = join(folder, 'db.json')
    const text = JSON.stringify(data)
    writeFileSync(path, text)
    const file = new DataFiles(path)
    const database = Database.of(file.readSync() ?? {})
    return {
      engine: new Engine(database, { ...naming, store: new FileStore(file, database) }).fork(1),
      close() {
        expect(readFileSync(path, 'utf8')).toBe(text)
        rmSync(folder, { recursive: true })
      },
    }
  },
})

describeEngine('a fork of a live object, which stays as it is', {
  open(data) {
    const text = JSON.stringify(data)
    const engine = openLive({ data }, naming).fork(1)
    return { engine, close: () => expect(JSON.stringify(data)).toBe(text) }
  },
})

describeEngine('a fork that others hold the data of', {
  open(data) {
    const engine = new Engine(data, naming).fork(1)
    return { engine, kept: () => JSON.stringify(liveDataOf(engine).data) }
  },
})

describeEngine('a fork of memory that has changed before, between two forks, and since', {
  async open(data) {
    const lists = Object.entries(data).filter(([, part]) => Array.isArray(part)) as [string, object[]][]
    const more = lists.map(([name, rows]) => [name, [{ id: 7777 }, ...rows]])
    const base = new Engine({ ...data, ...Object.fromEntries(more) }, naming)
    base.fork(1)
    for (const [name] of lists) await base.write({ kind: 'remove', collection: name, id: '7777' })
    const engine = base.fork(1)
    for (const [name] of lists) {
      await base.write({ kind: 'insert', collection: name, rows: [{ id: 7777 }, {}] })
      await base.write({ kind: 'remove', collection: name, id: '1' })
    }
    await base.write({ kind: 'merge-object', name: 'profile', fields: { name: 'theirs' } })
    return { engine }
  },
})

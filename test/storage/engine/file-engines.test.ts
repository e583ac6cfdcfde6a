import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../../../src/storage/data/database.ts'
import { Engine } from '../../../src/storage/engine/engine.ts'
import { FileStore } from '../../../src/storage/file/file-store.ts'
import { JsonFile } from '../../../src/storage/file/json-file.ts'
import { liveDataOf } from '../../../src/storage/live/live-data.ts'
import type { Data } from '../../../src/storage/types.ts'
import { describeEngine } from './engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describeEngine('a file', {
  open(data) {
    const { path, ...opened } = openFile(data)
    return { ...opened, edit: (edited) => writeFileSync(path, JSON.stringify(edited)) }
  },
})

describeEngine('a file that others hold the data of', {
  open(data) {
    const opened = openFile(data)
    liveDataOf(opened.engine)
    return opened
  },
})

/** An engine on a file of its own. */
function openFile(data: Data) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  const path = join(folder, 'db.json')
  writeFileSync(path, JSON.stringify(data))
  const file = new JsonFile(path)
  const database = Database.of(file.readSync())
  return {
    path,
    engine: new Engine(database, { ...naming, store: new FileStore(file, database) }),
    kept: () => readFileSync(path, 'utf8'),
    close: () => rmSync(folder, { recursive: true }),
  }
}

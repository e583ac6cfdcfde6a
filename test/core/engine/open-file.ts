import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '../../../src/core/engine/data/database.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { folderOf } from '../../support/folder.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

/** An engine on a file of its own. */
export function openFile(data: Data) {
  const folder = folderOf({ 'db.json': data })
  const path = join(folder, 'db.json')
  const file = new DataFiles(path)
  const database = Database.of(file.readSync() ?? {})
  return {
    path,
    engine: new Engine(database, { ...naming, store: new FileStore(file, database) }),
    kept: () => readFileSync(path, 'utf8'),
    close: () => rmSync(folder, { recursive: true }),
  }
}

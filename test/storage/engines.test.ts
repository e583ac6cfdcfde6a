import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonFile } from '../../src/storage/file/json-file.ts'
import { LocalEngine } from '../../src/storage/local/local-engine.ts'
import type { Data } from '../../src/storage/types.ts'
import { RemoteEngine } from '../support/engine/remote-engine.ts'
import { describeEngine } from './engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describeEngine('a file', {
  isCurrentKnown: true,
  open(data) {
    const { path, ...opened } = openFile(data)
    return { ...opened, edit: (edited) => writeFileSync(path, JSON.stringify(edited)) }
  },
})

describeEngine('memory', {
  isCurrentKnown: true,
  open: (data) => ({ engine: new LocalEngine(data, { ...naming, isOwned: true }) }),
})

describeEngine('a live object', {
  isCurrentKnown: false,
  open: (data) => ({ engine: new LocalEngine(data, naming), kept: () => JSON.stringify(data) }),
})

describeEngine('a file that others hold the data of', {
  isCurrentKnown: false,
  open(data) {
    const opened = openFile(data)
    opened.engine.live.share()
    return opened
  },
})

describeEngine('one that answers later', {
  isCurrentKnown: false,
  open: (data) => ({ engine: new RemoteEngine(new LocalEngine(data, { ...naming, isOwned: true })) }),
})

/** An engine on a file of its own. */
function openFile(data: Data) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  const path = join(folder, 'db.json')
  writeFileSync(path, JSON.stringify(data))
  const medium = new JsonFile(path)
  return {
    path,
    engine: new LocalEngine(medium.readSync(), { ...naming, medium, isOwned: true }),
    kept: () => readFileSync(path, 'utf8'),
    close: () => rmSync(folder, { recursive: true }),
  }
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { JsonFile } from '../../src/storage/file/json-file.ts'
import { liveDataOf } from '../../src/storage/local/live-data.ts'
import { forkEngine, LocalEngine } from '../../src/storage/local/local-engine.ts'
import { RemoteEngine } from '../support/engine/remote-engine.ts'
import { describeEngine } from './engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describeEngine('a fork of a file, which stays as it is', {
  isCurrentKnown: true,
  open(data) {
    const folder = mkdtempSync(join(tmpdir(), 'engine-'))
    const path = join(folder, 'db.json')
    const text = JSON.stringify(data)
    writeFileSync(path, text)
    const medium = new JsonFile(path)
    return {
      engine: new LocalEngine(medium.readSync(), { ...naming, medium, isOwned: true }).fork(),
      close() {
        expect(readFileSync(path, 'utf8')).toBe(text)
        rmSync(folder, { recursive: true })
      },
    }
  },
})

describeEngine('a fork of a live object, which stays as it is', {
  isCurrentKnown: true,
  open(data) {
    const text = JSON.stringify(data)
    const engine = new LocalEngine(data, naming).fork()
    return { engine, close: () => expect(JSON.stringify(data)).toBe(text) }
  },
})

describeEngine('a fork of one that answers later', {
  isCurrentKnown: true,
  open: async (data) => ({
    engine: await forkEngine(new RemoteEngine(new LocalEngine(data, { ...naming, isOwned: true }))),
  }),
})

describeEngine('a fork that others hold the data of', {
  isCurrentKnown: false,
  open(data) {
    const engine = new LocalEngine(data, { ...naming, isOwned: true }).fork()
    liveDataOf(engine)?.share()
    return { engine }
  },
})

describeEngine('a fork of memory that has changed before, between two forks, and since', {
  isCurrentKnown: true,
  async open(data) {
    const lists = Object.entries(data).filter(([, part]) => Array.isArray(part)) as [string, object[]][]
    const before = { ...data, ...Object.fromEntries(lists.map(([name, rows]) => [name, rows.slice(0, -1)])) }
    const base = new LocalEngine(before, { ...naming, isOwned: true })
    base.fork()
    for (const [name, rows] of lists) {
      // As it is: one has no id.
      const added = rows
        .slice(-1)
        .map((row) => ({ row: row as Record<string, unknown>, place: rows.length - 1 }))
      await base.write({
        kind: 'apply',
        effects: [{ kind: 'rows', name, removed: [], replaced: [], added }],
      })
    }
    const engine = base.fork()
    for (const [name] of lists) {
      await base.write({ kind: 'insert', collection: name, rows: [{ id: 7777 }, {}] })
      await base.write({ kind: 'remove', collection: name, id: '1' })
    }
    await base.write({ kind: 'merge-object', name: 'profile', fields: { name: 'theirs' } })
    return { engine }
  },
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../src/core/engine/change.ts'
import { Database } from '../../../src/core/engine/data/database.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { liveDataOf } from '../../../src/stores/live/live-data.ts'
import { folderOf } from '../../support/folder.ts'
import { runs } from '../../support/length.ts'
import { change, parts } from '../../support/model/random-changes.ts'
import { table } from '../../support/model/random-table.ts'

const folder = folderOf()

type Step =
  | { readonly do: 'write'; readonly change: RowChange }
  | { readonly do: 'undo' | 'redo' }
  /** A version that was there, by its place among all of them. */
  | { readonly do: 'undo-to' | 'redo-to'; readonly which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: change.map((each): Step => ({ do: 'write', change: each })) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'undo' }, { do: 'redo' }) },
  fc
    .tuple(fc.constantFrom('undo-to' as const, 'redo-to' as const), fc.nat({ max: 30 }))
    .map(([verb, which]): Step => ({ do: verb, which })),
)

function open(items: readonly unknown[], isShared: boolean) {
  const path = join(folder, 'db.json')
  writeFileSync(path, JSON.stringify({ items, parts, profile: { name: 'a' } }, null, 2))
  const file = new DataFiles(path)
  const database = Database.of(file.readSync() ?? {})
  const engine = new Engine(database, {
    id: 'id',
    foreignKeySuffix: 'Id',
    store: new FileStore(file, database),
    past: { base: 1000, bottom: 1000, commits: [] },
  })
  if (isShared) liveDataOf(engine)
  return { engine, read: () => readFileSync(path, 'utf8') }
}

describe.each([
  ['of its own', false],
  ['that others hold too', true],
])('the history of any changes, with data %s', (_, isShared) => {
  it('leads back and forth to every state, byte for byte in the file', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { minLength: 1, maxLength: 25 }), async (items, steps) => {
        const { engine, read } = open(items, isShared)
        const { history } = engine
        // What undo and redo mean, written down plainly: a list of states, a place in it, and where versions are.
        let states = [read()]
        let place = 0
        const placeOf = new Map([[history.version, 0]])
        for (const each of steps) {
          if (each.do === 'write') {
            const before = history.version
            await engine.write(each.change).catch(() => {})
            if (history.version === before) continue
            place += 1
            states = [...states.slice(0, place), read()]
            for (const [version, at] of placeOf) if (at >= place) placeOf.delete(version)
          } else {
            const versions = [...placeOf.keys()]
            const to = 'which' in each ? versions[each.which % versions.length] : undefined
            const isUndo = each.do.startsWith('undo')
            const goal = (to === undefined ? undefined : placeOf.get(to)) ?? place + (isUndo ? -1 : 1)
            const isWay = goal in states && (isUndo ? goal <= place : goal >= place)
            const moving = engine.write({ kind: 'move', direction: isUndo ? 'undo' : 'redo', to })
            if (isWay) await moving
            else await expect(moving).rejects.toMatchObject({ code: expect.stringMatching(/^NOTHING_TO_/) })
            if (isWay) place = goal
          }
          expect(read() === states[place]).toBe(true)
          placeOf.set(history.version, place)
        }
        expect(history.version - 1000).toBe(history.list(2000).length)
      }),
      runs(6),
    )
  })
})

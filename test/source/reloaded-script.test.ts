import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readRows } from '../../src/core/engine/read-rows.ts'
import type { Row } from '../../src/core/engine/types.ts'
import { resolveConfig } from '../../src/features/settings.ts'
import { openData, reloadData } from '../../src/source/open-data.ts'
import { folderOf } from '../support/folder.ts'

/** The data of a script, and the rows that it holds on to since it was loaded last. */
async function open(rows: readonly Row[]) {
  const folder = folderOf()
  const source = join(folder, 'db.cjs')
  const held = (): Row[] => Reflect.get(globalThis, folder)
  onTestFinished(() => void Reflect.deleteProperty(globalThis, folder))
  const write = (posts: readonly Row[]) =>
    writeFile(
      source,
      `const posts = ${JSON.stringify(posts)}
      globalThis[${JSON.stringify(folder)}] = posts
      module.exports = { posts }`,
    )
  await write(rows)
  const opened = await openData(resolveConfig({ source }), { log: () => {} })
  const { engine } = opened
  const served = () => readRows(engine, 'posts')
  return { engine, held, write, served, reload: () => reloadData(opened, source) }
}

it('does not share rows with a script that was loaded again, which may go on changing them', async () => {
  const first = [
    { id: 1, n: 0 },
    { id: 2, n: 0 },
  ]
  const { engine, held, served, reload } = await open(first)
  await reload()
  expect(await served()).toEqual(held())
  Object.assign(held()[0] ?? {}, { n: 5 })
  await engine.reset()
  expect(await served()).toEqual(first)
})

it('goes back to what a script held when it was loaded again, though that was the same and is not any more', async () => {
  const { engine, held, served, reload } = await open([])
  await reload()
  held().push({ id: 1 })
  expect(await served()).toEqual([{ id: 1 }])
  await engine.reset()
  expect(await served()).toEqual([])
})

it('is live again once a script was loaded again, and no longer serves what the old one does', async () => {
  const { engine, held, write, served, reload } = await open([{ id: 1 }])
  const old = held()
  const commits: unknown[] = []
  engine.subscribe(({ names, effects }) => commits.push([names, effects]))
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  commits.length = 0
  await write([{ id: 7 }])
  await reload()
  expect(commits).toEqual([[['posts'], undefined]])
  expect(await served()).toEqual([{ id: 7 }])
  held().push({ id: 8 })
  old.push({ id: 3 })
  expect(await served()).toEqual([{ id: 7 }, { id: 8 }])
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  expect(held()).toEqual([{ id: 7 }, { id: 8 }, { id: 9 }])
  expect(old).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  await expect(engine.write({ kind: 'move', direction: 'undo' })).resolves.toHaveLength(1)
  await engine.reset()
  expect(held()).toEqual([{ id: 7 }])
})

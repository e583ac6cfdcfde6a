import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../../src/app/config/config.ts'
import { openData, reloadData } from '../../../src/app/source/open-data.ts'
import { readRows } from '../../../src/storage/engine/read-rows.ts'
import type { Row } from '../../../src/storage/types.ts'

it('does not share rows with a script that was loaded again, which may go on changing them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restable-script-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const source = join(folder, 'db.cjs')
  const held = (): Row[] => Reflect.get(globalThis, folder)
  onTestFinished(() => void Reflect.deleteProperty(globalThis, folder))
  await writeFile(
    source,
    `const posts = [{ id: 1, n: 0 }, { id: 2, n: 0 }]
    globalThis[${JSON.stringify(folder)}] = posts
    module.exports = { posts }`,
  )
  const opened = await openData(resolveConfig({ source }), { log: () => {} })
  const { engine } = opened
  await reloadData(opened, source)
  expect(await readRows(engine, 'posts')).toEqual(held())
  Object.assign(held()[0] ?? {}, { n: 5 })
  await engine.reset()
  expect(await readRows(engine, 'posts')).toEqual([
    { id: 1, n: 0 },
    { id: 2, n: 0 },
  ])
})

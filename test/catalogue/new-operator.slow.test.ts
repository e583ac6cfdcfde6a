import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

const run = promisify(execFile)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restable-operator-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Run with the changed sources. */
const ASK = `
import { describeApi, start } from './src/index.ts'
const data = { products: [{ id: 1, name: 'Desk' }, { id: 2, name: 'Lamp' }, { id: 3 }] }
const { url, close } = await start({ data: structuredClone(data), port: 0 })
const ask = async (path) => {
  const response = await fetch(url + path)
  return { status: response.status, body: await response.json() }
}
const document = await (await describeApi({ data })).openapi()
console.log(JSON.stringify({
  filtered: await ask('/products?name_notContains=ES'),
  where: await ask('/products?_where={"name":{"notContains":"es"}}'),
  strict: await ask('/products?name_notContians=es&_strict=true'),
  explained: await ask('/products?name:notContains=es&_explain=true'),
  described: JSON.stringify(document).includes('does not contain, ignoring case'),
}))
await close()
`

it('is added as CONTRIBUTING.md shows', async () => {
  const text = await readFile('CONTRIBUTING.md', 'utf8')
  const [, diff = ''] = /```diff\n(--- a\/src\/catalogue\/operators\.ts\n.*?)```/s.exec(text) ?? []
  await cp('src', join(folder, 'src'), { recursive: true })
  await cp('package.json', join(folder, 'package.json'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'operator.diff'), diff)
  await writeFile(join(folder, 'ask.mts'), ASK)
  await run('git', ['apply', 'operator.diff'], { cwd: folder })
  const { stdout } = await run(process.execPath, ['--import', import.meta.resolve('tsx'), 'ask.mts'], {
    cwd: folder,
  })
  const { filtered, where, strict, explained, described } = JSON.parse(stdout)
  expect(filtered).toEqual({ status: 200, body: [{ id: 2, name: 'Lamp' }] })
  expect(where).toEqual(filtered)
  expect(strict).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('name_notContains') },
  })
  expect(explained.body.filters).toEqual([{ field: 'name', operator: 'notContains', values: ['es'] }])
  expect(described).toBe(true)
})

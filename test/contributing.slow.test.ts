import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderOf } from './support/folder.ts'

const run = promisify(execFile)

/** Applies the diff that changes a file, of CONTRIBUTING.md or the README of layers, to a copy of the sources, and runs a script with them. */
async function withDiff(file: string, script: string): Promise<string> {
  const folder = folderOf()
  const pages = ['CONTRIBUTING.md', 'src/core/layers/README.md'].map((page) => readFile(page, 'utf8'))
  const diffs = (await Promise.all(pages)).join('\n').matchAll(/```diff\n(.*?)```/gs)
  const [diff = ''] = [...diffs].flatMap(([, text = '']) => (text.includes(`+++ b/${file}\n`) ? [text] : []))
  for (const name of ['src', 'scripts', 'docs', 'examples', 'README.md', 'CONTRIBUTING.md', 'package.json'])
    await cp(name, join(folder, name), { recursive: true })
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'change.diff'), diff)
  await writeFile(join(folder, 'ask.mts'), script)
  await run('git', ['apply', 'change.diff'], { cwd: folder })
  const tsx = ['--import', import.meta.resolve('tsx')]
  return (await run(process.execPath, [...tsx, 'ask.mts'], { cwd: folder })).stdout
}

it('an operator is added as shown there', async () => {
  const output = await withDiff(
    'src/core/kernel/catalogue/operators.ts',
    `
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
`,
  )
  const { filtered, where, strict, explained, described } = JSON.parse(output)
  expect(filtered).toEqual({ status: 200, body: [{ id: 2, name: 'Lamp' }] })
  expect(where).toEqual(filtered)
  expect(strict).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('name_notContains') },
  })
  expect(explained.body.filters).toEqual([{ field: 'name', operator: 'notContains', values: ['es'] }])
  expect(described).toBe(true)
})

it('a feature is added as shown there', async () => {
  const output = await withDiff(
    'src/features/list.ts',
    `
import { start } from './src/index.ts'
const { url, close } = await start({ data: { posts: [] }, port: 0 })
const ask = async (path) => (await fetch(url + path)).json()
console.log(JSON.stringify({ ...(await ask('/__uptime')), document: await ask('/__openapi') }))
await close()
`,
  )
  const { seconds, document } = JSON.parse(output)
  expect(seconds).toBeGreaterThan(0)
  expect(document.paths['/__uptime'].get.operationId).toBe('getUptime')
})

it('a layer is added as shown there', async () => {
  const output = await withDiff(
    'src/core/layers/list.ts',
    `
import { start } from './src/index.ts'
import { configJsonSchema } from './scripts/build/config-json-schema.ts'
import { writtenFiles } from './scripts/tables/written-files.ts'
const data = { posts: [] }
const { url, close } = await start({ data, middlewares: ['server-name'], serverName: { name: 'mock' } })
const wrong = await start({ data, serverName: { nam: 'mock' } }).catch((error) => error.message)
const { layers } = await (await fetch(url + '/__service')).json()
console.log(JSON.stringify({
  server: (await fetch(url + '/posts')).headers.get('server'),
  wrong,
  layers,
  schema: configJsonSchema().properties.serverName,
  docs: writtenFiles()['docs/layers.md'],
}))
await close()
`,
  )
  const { server, wrong, layers, schema, docs } = JSON.parse(output)
  expect(server).toBe('mock')
  expect(wrong).toContain('"serverName.nam"')
  expect(layers).toEqual([{ name: 'server-name', kind: 'built-in', settings: { name: 'mock' } }])
  expect(schema.properties).toHaveProperty('name')
  expect(docs).toContain('| [`server-name`](#server-name) | names the server in each response |')
})

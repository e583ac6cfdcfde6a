import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { loadModule, moduleFiles, nextVersion } from '../../src/config/load-module.ts'
import { folderOf } from '../support/folder.ts'

let folder: string

beforeEach(() => {
  folder = folderOf()
})

it.each<[string, Record<string, string>, string[]]>([
  [
    'require',
    { 'a.cjs': 'const b = require("./b"); const c = require( \'./c.json\' )', 'b.js': '', 'c.json': '{}' },
    ['a.cjs', 'b.js', 'c.json'],
  ],
  [
    'import and export',
    {
      'a.mjs': 'import b, { x } from "./b.mjs"\nimport "./c.mjs"',
      'b.mjs': 'export * from "./d.mjs"',
      'c.mjs': '',
      'd.mjs': '',
    },
    ['a.mjs', 'b.mjs', 'c.mjs', 'd.mjs'],
  ],
  ['import()', { 'a.mjs': 'await import(`./b.mjs`)', 'b.mjs': '' }, ['a.mjs', 'b.mjs']],
  ['a circle', { 'a.cjs': 'require("./b.cjs")', 'b.cjs': 'require("./a.cjs")' }, ['a.cjs', 'b.cjs']],
  ['TypeScript', { 'a.ts': 'import { b } from "./b.js"', 'b.ts': '' }, ['a.ts', 'b.ts']],
  ['a file that is missing', { 'a.cjs': 'require("./later.cjs")' }, ['a.cjs', 'later.cjs']],
  [
    'no packages',
    {
      'a.cjs': 'require("express"); require("./node_modules/x/i.js"); require("node:fs")',
      'node_modules/x/i.js': '',
    },
    ['a.cjs'],
  ],
  [
    'the main file of a folder',
    { 'a.cjs': 'require("./lib")', 'lib/index.js': 'require("../b.js")', 'b.js': '' },
    ['a.cjs', 'b.js', 'lib/index.js'],
  ],
])('follows %s', async (_, files, expected) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const [entry = ''] = Object.keys(files)
  const found = await moduleFiles(join(folder, entry))
  expect(found.map((file) => relative(folder, file)).sort()).toEqual(expected)
})

it('says that a module waits for what never comes', async () => {
  const file = join(folder, 'waits.mjs')
  await writeFile(file, 'await new Promise(() => {})\nexport default {}')
  await expect(loadModule(file, 'waits.mjs', 0, 50)).rejects.toThrow(
    'waits.mjs cannot be loaded: Error: not done after 0.05 s. Check what it awaits',
  )
})

it('keeps no CommonJS module that it has loaded again, with the data that it exports', async () => {
  const file = join(folder, 'data.cjs')
  await writeFile(file, 'module.exports = { self: module }')
  type Loaded = { readonly self: NodeJS.Module }
  const first = (await loadModule(file, 'data')) as Loaded
  const last = (await loadModule(file, 'data', 1)) as Loaded
  expect(first.self.parent).toBe(last.self.parent)
  const kept = last.self.parent?.children.filter(({ filename }) => filename === file)
  expect(kept?.map((one) => one === last.self)).toEqual([true])
})

it.each(['mjs', 'ts'])('gives a .%s module as it was loaded last, unless that failed', async (ending) => {
  const file = join(folder, `data.${ending}`)
  await writeFile(file, 'export default ["first"]')
  expect(await loadModule(file, 'data')).toEqual(['first'])
  await writeFile(file, 'export default ["second"]')
  const second = await loadModule(file, 'data', nextVersion())
  expect(second).toEqual(['second'])
  await writeFile(file, 'export default [')
  await expect(loadModule(file, 'data', nextVersion())).rejects.toThrow('cannot be loaded')
  expect(await loadModule(file, 'data')).toBe(second)
})

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../support/folder.ts'
import { builtModule } from '../support/package/built-module.ts'

const { loadMiddleware } =
  builtModule<typeof import('../../src/source/load-middleware.ts')>('source/load-middleware.js')
const { ConfigError } = builtModule<typeof import('../../src/core/kernel/catalogue/error-classes.ts')>(
  'core/kernel/catalogue/error-classes.js',
)

const folder = folderOf()

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

async function namesOf(entries: string[], version?: number): Promise<string[]> {
  const loaded = await Promise.all(entries.map((entry) => loadMiddleware(entry, version)))
  return loaded.flat().map((handler) => handler.name)
}

async function faultOf(entry: string): Promise<string> {
  const error = await loadMiddleware(entry).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

describe('loadMiddleware', () => {
  it.each([
    ['a.cjs', 'module.exports = function one(req, res, next) { next() }', ['one']],
    ['b.cjs', 'module.exports = [function one() {}, [function two() {}]]', ['one', 'two']],
    ['c.cjs', 'exports.__esModule = true; exports.default = function one() {}', ['one']],
    ['d.mjs', 'export default function one() {}', ['one']],
    [
      'e.mjs',
      'const name = await Promise.resolve("x"); export default [function one() {}, function two() {}]',
      ['one', 'two'],
    ],
    ['f.js', 'module.exports = function one() {}', ['one']],
  ])('loads %s', async (name, text, expected) => {
    const file = await written(name, text)
    expect(await namesOf([file])).toEqual(expected)
  })

  it('loads a .js file of a package of ES modules', async () => {
    await written('esm/package.json', '{ "type": "module" }')
    const quick = await written('esm/quick.js', 'export default function quick() {}')
    const slow = await written('esm/slow.js', 'await Promise.resolve(); export default function slow() {}')
    expect(await namesOf([quick, slow])).toEqual(['quick', 'slow'])
  })

  it('keeps the order of the list, whatever loads first', async () => {
    const slow = await written(
      'slow.mjs',
      'await new Promise(setImmediate); export default function slow() {}',
    )
    const fast = await written('fast.cjs', 'module.exports = function fast() {}')
    expect(await namesOf([slow, fast, slow])).toEqual(['slow', 'fast', 'slow'])
  })

  it('loads a package folder by its main file, and a file without its extension', async () => {
    await written('pack/package.json', '{ "main": "lib/main.js" }')
    await written('pack/lib/main.js', 'module.exports = function packed() {}')
    await written('short.js', 'module.exports = function short() {}')
    expect(await namesOf([join(folder, 'pack'), join(folder, 'short')])).toEqual(['packed', 'short'])
  })

  it('resolves paths from the working directory', async () => {
    const file = await written('here.cjs', 'module.exports = function here() {}')
    expect(await namesOf([relative(process.cwd(), file)])).toEqual(['here'])
  })

  it.each([
    ['again.cjs', (name: string) => `module.exports = function ${name}() {}`],
    ['esm/again.js', (name: string) => `export default function ${name}() {}`],
    ['again.mjs', (name: string) => `export default function ${name}() {}`],
  ])('reloads %s under a new version', async (name, source) => {
    const file = await written(name, source('before'))
    expect(await namesOf([file])).toEqual(['before'])
    await written(name, source('after'))
    expect(await namesOf([file])).toEqual(['before'])
    expect(await namesOf([file], 1)).toEqual(['after'])
    await written(name, source('later'))
    expect(await namesOf([file], 2)).toEqual(['later'])
  })

  it('reloads what a CommonJS middleware requires', async () => {
    const file = await written('outer.cjs', 'module.exports = require("./inner.cjs")')
    await written('inner.cjs', 'module.exports = function before() {}')
    expect(await namesOf([file])).toEqual(['before'])
    await written('inner.cjs', 'module.exports = function after() {}')
    expect(await namesOf([file], 1)).toEqual(['after'])
  })

  it.each([
    ['apikey', 'middlewares: there is no file "apikey". Did you mean the built-in layer "api-key"?'],
    [
      'rate_limit',
      'middlewares: there is no file "rate_limit". Did you mean the built-in layer "rate-limit"?',
    ],
    ['express', 'middlewares: there is no file "express". Write "./node_modules/express".'],
  ])('gives a hint for %s', async (entry, expected) => {
    expect(await faultOf(entry)).toBe(expected)
  })

  it('says that a file is missing', async () => {
    expect(await faultOf('./nowhere/at-all.js')).toMatch(
      /^middlewares: there is no file "\.\/nowhere\/at-all\.js"\. Use a path relative to .+, or one of cors, delay, /,
    )
  })

  it.each([
    ['number.cjs', 'module.exports = 7', /exports no function\. Write module\.exports = /],
    ['empty.mjs', 'export const named = () => {}', /exports no function/],
    ['mixed.cjs', 'module.exports = [() => {}, "x"]', /exports no function/],
    ['none.cjs', 'module.exports = []', /exports no function/],
    [
      'throws.cjs',
      'throw new Error("no database\\nat all")',
      /cannot be loaded \(.*throws\.cjs, line 1\): Error: no database$/,
    ],
    [
      'syntax.mjs',
      'const a = 1\nexport default (',
      /cannot be loaded \(.*syntax\.mjs, line [23]\): SyntaxError: Unexpected end of input$/,
    ],
    [
      'syntax.cjs',
      'const a = 1\nmodule.exports = )',
      /cannot be loaded \(.*syntax\.cjs, line 2\): SyntaxError: /,
    ],
    [
      'lacks.cjs',
      'require("not-installed-anywhere")',
      /cannot be loaded \(.*lacks\.cjs, line 1\): Error: Cannot find module 'not-installed-anywhere'\. Install it: npm install --save-dev not-installed-anywhere$/,
    ],
  ])('says in one line what is wrong with %s', async (name, text, expected) => {
    const file = await written(name, text)
    const fault = await faultOf(file)
    expect(fault.startsWith(`middlewares: "${file}" `)).toBe(true)
    expect(fault).toMatch(expected)
  })

  it('loads TypeScript, with what it imports, and again', async () => {
    await written('greeting.ts', "export const greeting: string = 'typed'")
    const file = await written(
      'typed.ts',
      `import { greeting } from './greeting.ts'
       import type { Missing } from './nowhere.ts'
       export default Object.defineProperty((_req: Missing): void => {}, 'name', { value: greeting as string })`,
    )
    expect(await namesOf([file])).toEqual(['typed'])
    await written('greeting.ts', "export const greeting = 'again' satisfies string")
    expect(await namesOf([file], 77)).toEqual(['again'])
  })

  it('says where TypeScript is wrong, even in a file that it imports', async () => {
    await written('wrong.ts', 'const one: number = 1\nexport default {\n  one: {\n')
    const file = await written('imports-wrong.mjs', "import './wrong.ts'")
    expect(await faultOf(file)).toMatch(
      /imports-wrong\.mjs" cannot be loaded \(.*wrong\.ts, line [345]\): SyntaxError: /,
    )
  })
})

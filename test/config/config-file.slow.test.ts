import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineConfig } from '../../src/index.ts'
import { eventually, Folder, printed } from '../support/http/watched.ts'
import { builtModule } from '../support/package/built-module.ts'

const { readConfigFile } = builtModule<typeof import('../../src/internals.ts')>('internals.js')

let folder: Folder
beforeAll(async () => {
  folder = await Folder.createForBuilt()
})
afterAll(() => folder.remove())

describe('a config file that is a module', () => {
  it.each([
    ['typed.ts', 'const port: number = 4000\nexport default { port, noCors: true } satisfies object'],
    ['module.mjs', 'export default { port: 4000, "no-cors": true }'],
    ['names.mjs', 'export const port = 4000\nexport const noCors = true'],
    ['common.cjs', 'module.exports = { port: 4000, noCors: true }'],
    ['plain.js', 'const port = await 4000\nexport default { port, noCors: true }'],
    ['imports.ts', "import typed from './typed.ts'\nexport default typed"],
  ])('is read: %s', async (name, text) => {
    expect(await readConfigFile(await folder.write(name, text))).toEqual({ port: 4000, noCors: true })
  })

  it('has its schemas beside it', async () => {
    const file = await folder.write(
      'beside.mjs',
      "export default { resources: { posts: { schema: 'post.json' } } }",
    )
    expect(await readConfigFile(file)).toEqual({ resources: { posts: { schema: folder.file('post.json') } } })
  })

  it.each([
    ['wrong.ts', 'export default {\n  port: "3000",\n}', ', line 2: "port" must be a whole number'],
    [
      'unknown.mjs',
      'export default {\n\n  prot: 1 }',
      ', line 3: there is no setting "prot". Did you mean "port"?',
    ],
    [
      'deep.ts',
      'const limit: number = -1\nexport default {\n  sessions: { max: 1 },\n  rateLimit: {\n    limit,\n  },\n}',
      ', line 5: "rateLimit.limit" must be',
    ],
    ['far.mjs', 'const all = { ["po" + "rt"]: -1 }\nexport default all', ': "port" must be a whole number'],
    ['function.ts', 'export default () => ({})', ': it exports no settings. Write: export default { source:'],
    ['named.mjs', 'export const config = { port: 1 }', ': it exports no settings. Write: export default'],
    [
      'common.mjs',
      'module.exports = {}',
      /ES module scope.*Use import and export default, or name the file \.cjs\.$/,
    ],
    [
      'unimported.ts',
      'export default defineConfig({})',
      'Import it: import { defineConfig } from "restable"',
    ],
    ['misspelt.mjs', "import 'restabel'", "Did you mean 'restable'?"],
    ['pathless.mjs', "import './nope.mjs'", /Cannot find module .* Check the path\.$/],
    [
      'handler.mjs',
      'export default {\n  middlewares: [() => {}] }',
      ', line 2: entry 1 of "middlewares" must be',
    ],
    ['forgotten.ts', 'const port: number = 1', ': it exports no settings. Write: export default { source:'],
    ['missing.mjs', "import 'nowhere'", " cannot be loaded: Error: Cannot find package 'nowhere'"],
    ['broken.ts', 'export default {\n  port: 1', / cannot be loaded \(.*broken\.ts, line 2\): SyntaxError: /],
    [
      'throws.ts',
      '\nthrow new Error("no such luck")',
      / cannot be loaded \(.*throws\.ts, line 2\): Error: no such luck$/,
    ],
  ])('is refused in one line with file and line: %s', async (name, text, expected) => {
    const file = await folder.write(name, text)
    const error: unknown = await readConfigFile(file).catch((reason: unknown) => reason)
    const message = error instanceof Error ? error.message : ''
    expect(message).not.toContain('\n')
    expect(message.startsWith(file)).toBe(true)
    expect(message.slice(file.length)).toMatch(expected)
  })

  it('that is not there is missed as any other', async () => {
    await expect(readConfigFile('nowhere.config.ts')).rejects.toThrow(
      'nowhere.config.ts: there is no such file. Check the path, or leave it out.',
    )
  })

  it('is loaded again when it changes, and when a file that it imports does', async () => {
    const source = await folder.write('db.json', { posts: [] })
    await folder.write('rules.ts', 'export const readOnly: boolean = false')
    await folder.write(
      'restable.config.ts',
      `import { readOnly } from './rules.ts'\nexport default { source: ${JSON.stringify(source)}, watch: true, readOnly }`,
    )
    const { lines, post, server } = await folder.serveConfig('restable.config.ts')
    expect((await post('/posts', {})).status).toBe(201)
    await folder.write('rules.ts', 'export const readOnly = true as boolean')
    await eventually(async () => expect((await post('/posts', {})).status).toBe(403))
    await printed(lines, /rules\.ts changed, reloaded/)
    await folder.write('restable.config.ts', 'export default { prot: 1 }')
    await printed(lines, /restable\.config\.ts, line 1: there is no setting "prot"/)
    await folder.write(
      'restable.config.ts',
      `export default { source: ${JSON.stringify(source)}, id: '_id' }`,
    )
    await eventually(() => expect(server.config).toMatchObject({ id: '_id', readOnly: false }))
  })
})

it('defineConfig gives back the settings, and its types know each of them', () => {
  const settings = { source: 'db.json', middlewares: 'cors', hosted: 'public', sessions: false } as const
  expect(defineConfig(settings)).toBe(settings)
  // @ts-expect-error: there is no such setting.
  defineConfig({ prot: 3000 })
  // @ts-expect-error: a port is a number.
  defineConfig({ port: '3000' })
  // @ts-expect-error: nor is there such an option.
  defineConfig({ rateLimit: { limits: 3 } })
})

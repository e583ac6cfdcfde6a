import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endLaunched, launch } from '../../support/child/launch.ts'
import { eventually, Folder, printed } from '../../support/http/watched.ts'

const DATA = { posts: [{ id: 1, title: 'One' }] }
/** What makes it a logic file, where nothing names it. */
const MARK = '// as for define of restable\n'
const handler = (text: string) =>
  `${MARK}export default { 'GET /say': (): string => ${JSON.stringify(text)} }\n`

let folder: Folder

beforeEach(async () => {
  folder = await Folder.createForBuilt()
  await folder.write('package.json', { type: 'module' })
  await folder.write('db.json', DATA)
})

afterEach(async () => {
  endLaunched()
  await folder.remove()
})

describe('a logic file beside the data', () => {
  it('is reloaded with the data kept; one that does not load leaves the last good one', async () => {
    await folder.write('api.ts', handler('one'))
    const { get, post, lines, server } = await folder.serve({ source: folder.file('db.json') })
    expect(await get('/say')).toBe('one')
    await post('/posts', { title: 'Two' })
    const computed = "posts: { computed: { loud: ({ title }) => title + '!' } }"
    await folder.write('api.ts', `${MARK}export default { 'GET /say': () => 'two', ${computed} }`)
    await eventually(async () => expect(await get('/say')).toBe('two'))
    expect(await get('/posts')).toEqual([
      { id: 1, title: 'One', loud: 'One!' },
      { id: 2, title: 'Two', loud: 'Two!' },
    ])
    expect(await server.history()).toHaveLength(1)
    await folder.write('api.ts', `${MARK}export default { 'GET /say' () => }`)
    await printed(lines, /Not reloaded/)
    await folder.write('api.ts', `${MARK}export default { posts: { computed: { title: () => 1 } } }`)
    await printed(lines, /posts\.computed\.title/)
    const said = (why: RegExp) => expect.stringMatching(why)
    expect(lines.filter((line) => line.includes('Not reloaded'))).toEqual([
      said(/^Not reloaded, the old version stays in use: logic: ".*api\.ts" cannot be loaded.*$/),
      said(/^Not reloaded, .* logic: .*api\.ts: posts\.computed\.title: .* Give .* another name.*$/),
    ])
    expect(await get('/say')).toBe('two')
    await folder.write('api.ts', `${MARK}export default { posts: { computed: { id: () => 1 } } }`)
    await printed(lines, /Not reloaded.*have a stored field "id"/)
    expect(await get('/say')).toBe('two')
    await folder.write('api.ts', handler('three'))
    await eventually(async () => expect(await get('/say')).toBe('three'))
    expect(await get('/posts/1')).toEqual(DATA.posts[0])
  })

  it('is found when it appears, and its imports are reloaded', async () => {
    const { get } = await folder.serve({ source: folder.file('db.json') })
    await folder.write('text.js', "export const text = 'one'\n")
    const importing = `${MARK}import { text } from './text.js'\nexport default { 'GET /say': () => text }\n`
    await folder.write('api.js', importing)
    await eventually(async () => expect(await get('/say')).toBe('one'))
    await folder.write('text.js', "export const text = 'two'\n")
    await eventually(async () => expect(await get('/say')).toBe('two'))
  })

  it.each<readonly [what: string, text: string, logic: string | false | undefined, said: unknown]>([
    ['is not read if it is of another kind', 'throw new Error()\n', undefined, {}],
    ['is not read if the settings say so', handler('one'), false, {}],
    ['is not read if another one is named', 'throw new Error()\n', 'logic.ts', 'named'],
  ])('%s', async (_, text, logic, said) => {
    await folder.write('api.js', text)
    await folder.write('logic.ts', handler('named'))
    const named = typeof logic === 'string' ? folder.file(logic) : logic
    const { get } = await folder.serve({
      source: folder.file('db.json'),
      ...(logic !== undefined && { logic: named }),
    })
    expect(await get('/say')).toEqual(said)
  })

  it.each<readonly [what: string, text: string, said: string]>([
    ['is broken', '\nexport default { a: missing }', 'line 3\\): ReferenceError: .*'],
    [
      'has a namespace with values',
      'namespace Types { export interface A { a: 1 } }\nnamespace Rates {\n  export const VAT = 0.2\n}\n',
      'line 3\\): SyntaxError: (namespace Rates has values, which .*|.*namespace.*)',
    ],
  ])('that %s is one line at the start, and the end', async (_, text, said) => {
    await folder.write('api.ts', `${MARK}${text}\n`)
    const server = launch(['db.json', '--port', '0'], { cwd: folder.path })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(
      new RegExp(`^.*logic: "api\\.ts" cannot be loaded \\(api\\.ts, ${said}\\n$`),
    )
  })

  it('goes on after errors that nothing waits for, and says which function they are of', async () => {
    const forgetting = `${MARK}const fail = async () => { throw new Error('lost') }
      export default {
        'POST /1': ({ db }) => { db.posts.update(99, { a: 1 }); return 1 },
        'POST /2': ({ db }) => { setTimeout(() => db.nothere.create({}), 1); return 1 },
        'POST /3': () => { setTimeout(() => { throw new Error('late') }, 1); return 1 },
        'POST /4': ({ later }) => { later(1, () => { fetch('http://localhost:9/x') }); return 1 },
        'POST /5': () => { Promise.reject('text'); return 1 },
        posts: { after: { create: () => void fail() } },
      }; setTimeout(() => { throw new Error('top') }, 1)`
    await folder.write('api.js', forgetting)
    const server = launch(['db.json', '--port', '0'], { cwd: folder.path })
    const url = await server.url()
    const post = (path: string) => fetch(`${url}${path}`, { method: 'POST', body: '{}' })
    const said: readonly (readonly [path: string, line: RegExp])[] = [
      ['/1', /posts has no item 99/],
      ['/2', /after its function had ended/],
      ['/3', /api\.js: POST \/3: .*Error: late\n.*api\.js:6/],
      ['/4', /api\.js: later of POST \/4: [\s\S]*fetch failed[\s\S]*bad port/],
      ['/5', /api\.js: POST \/5: .*text/],
      ['/posts', /api\.js: posts\.after\.create: .*lost\n.*api\.js:2/],
      ['/1', /^api\.js: .*top\n.*api\.js:10/m],
    ]
    for (const [path, line] of said) {
      expect((await post(path)).ok).toBe(true)
      await server.printed(line)
    }
  })
})

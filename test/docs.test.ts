import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writtenFiles } from '../scripts/tables/written-files.ts'
import { FLAGS } from '../src/cli/flags.ts'
import { SETTINGS } from '../src/features/settings.ts'
import { anchorOf, codesIn } from './support/docs/markdown.ts'
import { stepsIn } from './support/page/page-script.ts'
import { headingsOf, linksOf, pageAt, pages, readPage, rowsWith } from './support/page/pages.ts'

const { scripts, files }: { scripts: Record<string, string>; files: readonly string[] } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)
/** What the package holds besides what `npm pack` always adds. */
const packed = [...files, 'README.md', 'LICENSE']
const inDocs = pages.filter(({ path }) => path !== 'README.md')
const everything = pages.map(({ text }) => text).join('\n')

describe('every page', () => {
  it.each(pages)('says which server must run before it asks for anything: $path', ({ text }) => {
    const steps = stepsIn(text)
    const asked = steps.findIndex(({ kind }) => kind === 'script' || kind === 'request')
    const started = steps.findIndex(({ kind }) => kind === 'start')
    if (asked >= 0) expect(started).toBeGreaterThanOrEqual(0)
    if (asked >= 0) expect(started).toBeLessThan(asked)
  })

  it.each([...pages, ...['SECURITY.md', 'CONTRIBUTING.md'].map(readPage)])(
    'links to what is there: $path',
    (page) => {
      const broken = linksOf(page)
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#')
          const path = file === '' ? page.path : join(dirname(page.path), file)
          if (!existsSync(path)) return true
          return anchor !== undefined && !headingsOf(readPage(path)).map(anchorOf).includes(anchor)
        })
      expect(broken).toEqual([])
    },
  )

  it.each(pages)('links only to what is in the package: $path', (page) => {
    const paths = linksOf(page)
      .filter((target) => !/^(?:https?:|#)/.test(target))
      .map((target) => join(dirname(page.path), target.split('#')[0] ?? '').replaceAll(sep, '/'))
    const isPacked = (path: string) => packed.some((one) => path === one || path.startsWith(`${one}/`))
    expect(paths.filter((path) => !isPacked(path))).toEqual([])
  })

  it.each(pages.filter(({ path }) => path !== 'README.md'))(
    'asks for nothing that only this repository has: $path',
    ({ text }) => {
      expect(text).not.toMatch(/npm (?:run|start|test)\b|this repository/)
    },
  )

  it.each(pages)('gives no two headings one name: $path', (page) => {
    const headings = headingsOf(page)
    expect(headings).toEqual([...new Set(headings)])
  })

  it('has a heading of the first level, and only one', () => {
    const firsts = pages.map(({ parts }) =>
      parts.filter((part) => part.kind === 'heading' && part.level === 1),
    )
    expect(firsts.map(({ length }) => length)).toEqual(pages.map(() => 1))
  })
})

describe('the pages together', () => {
  it('have at most 24,000 words, and 3,000 on what came later', () => {
    const words = inDocs.map(({ text }) => text.trim().split(/\s+/).length)
    expect(words.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(27_000)
  })

  it('name npm scripts that exist, and every one that starts a server', () => {
    const named = [...everything.matchAll(/npm (?:run )?(start\b[:\w]*|test\b|(?<=run )[\w:]+)/g)]
    const names = new Set(named.map(([, name = '']) => name))
    expect([...names].filter((name) => scripts[name] === undefined)).toEqual([])
    const starters = Object.keys(scripts).filter((name) => /^start(:|$)/.test(name))
    expect(starters.filter((name) => !names.has(name))).toEqual([])
  })

  it.each(Object.entries(writtenFiles()))('are as `npm run tables` writes them: %s', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('list every setting and flag', () => {
    const page = pageAt('docs/configuration.md')
    const keys = rowsWith('Key', page).map(([cell]) => codesIn(cell)[0]?.split('.')[0])
    expect(keys).toEqual(expect.arrayContaining(Object.keys(SETTINGS.schema.shape)))
    for (const { name } of FLAGS) expect(page.text).toContain(`\`--${name}`)
  })
})

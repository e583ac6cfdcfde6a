import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { withTables } from '../scripts/tables/with-tables.ts'
import { settingsSchema } from '../src/app/config/config-schema.ts'
import { FLAGS } from '../src/cli/flags.ts'
import { Commands } from './support/child/commands.ts'
import { needsDatabase } from './support/docs/database.ts'
import { followPage } from './support/docs/follow-page.ts'
import { anchorOf, codesIn } from './support/docs/markdown.ts'
import { Newcomer } from './support/docs/newcomer.ts'
import { startCommand } from './support/docs/start-command.ts'
import { CHROMIUM } from './support/page/browser.ts'
import { stepsIn } from './support/page/page-script.ts'
import { headingsOf, linksOf, pageAt, pages, readPage, rowsWith } from './support/page/pages.ts'
import { hasPostgres, SKIPPED } from './support/postgres/cluster.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
const everything = pages.map(({ text }) => text).join('\n')

let newcomer: Newcomer
beforeAll(async () => {
  newcomer = await Newcomer.arrive()
})
afterAll(() => newcomer.leave())

describe('what a page says to try', { timeout: 180_000 }, () => {
  const followed = pages.filter(({ text }) => hasPostgres || !needsDatabase(text))
  it.concurrent.each(followed)('comes out as shown, from top to bottom: $path', async ({ text }) => {
    expect(await followPage(text, newcomer)).toEqual([])
  })

  it.runIf(!hasPostgres)(`is not tried with a database: ${SKIPPED}`, ({ skip }) => skip())

  it.runIf(CHROMIUM === undefined)('is not tried in a browser: there is no Chromium here', ({ skip }) =>
    skip(),
  )

  it('is noticed when it does not', async () => {
    const wrong = '```sh\nnpm start\n```\n\n```sh\ncurl localhost:3000/products/1\n```\n\n```json\n{}\n```\n'
    expect(await followPage(wrong, newcomer)).toEqual([expect.stringContaining('Fantastic Gold Tuna')])
    expect(() => stepsIn('```sh\nnpm run nothing\n```\n')).toThrow('nobody has decided how to try')
  })

  it('is a lot', () => {
    const kinds = pages.flatMap(({ text }) => stepsIn(text).map(({ kind }) => kind))
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    expect(count('request')).toBeGreaterThan(60)
    expect(count('script')).toBeGreaterThan(50)
    expect(count('start')).toBeGreaterThan(20)
  })

  it('finds what the table of query parameters says', async () => {
    const { port, stop } = await startCommand('npm start', await newcomer.sitDown())
    const rows = rowsWith('ids', pageAt('docs/queries.md')).filter(
      ([, , example]) => codesIn(example).length > 0,
    )
    const found = rows.map(async ([, , example]) => {
      const answer = await fetch(`http://localhost:${port}${codesIn(example)[0]}`)
      const items = z.array(z.object({ id: z.number() })).parse(await answer.json())
      return [example, items.map(({ id }) => id).join(', ')]
    })
    expect(await Promise.all(found)).toEqual(rows.map(([, , example, ids]) => [example, ids]))
    await stop()
  })

  const commands = new Commands()
  afterAll(() => commands.end())

  it.each(rowsWith('The start prints', pageAt('docs/configuration.md')))(
    'prints what the page says of %s',
    async (setting, line) => {
      const { repository } = await newcomer.sitDown()
      const config = `{ "source": "data/db.json", ${codesIn(setting)[0]} }`
      await writeFile(join(repository, 'odd.config.json'), config)
      const args = ['--config', 'odd.config.json', '--port', '0']
      // Some of them it refuses.
      await commands.serve(args, repository).catch(() => undefined)
      const ended = await commands.stop()
      expect(`${ended?.stdout}${ended?.stderr}`).toContain(codesIn(line)[0])
    },
  )
})

describe('every page', () => {
  it.each(pages)('says which server must run before it asks for anything: $path', ({ text }) => {
    const steps = stepsIn(text)
    const asked = steps.findIndex(({ kind }) => kind === 'script' || kind === 'request')
    const started = steps.findIndex(({ kind }) => kind === 'start')
    if (asked >= 0) expect(started).toBeGreaterThanOrEqual(0)
    if (asked >= 0) expect(started).toBeLessThan(asked)
  })

  it.each(pages)('restores the data before it starts a server on it: $path', ({ text }) => {
    const commands = stepsIn(text).flatMap((step) =>
      step.kind === 'start' || step.kind === 'run' ? step.command : [],
    )
    const first = commands.findIndex((command) =>
      /^npm start|^npm run start:(?!hosted|accounts)/.test(command),
    )
    const restored = commands.indexOf('npm run generate -- --seed 2026')
    if (first >= 0) expect(restored).toBeGreaterThanOrEqual(0)
    if (first >= 0) expect(restored).toBeLessThan(first)
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
  it('name npm scripts that exist, and every one that starts a server', () => {
    const named = [...everything.matchAll(/npm (?:run )?(start\b[:\w]*|test\b|(?<=run )[\w:]+)/g)]
    const names = new Set(named.map(([, name = '']) => name))
    expect([...names].filter((name) => scripts[name] === undefined)).toEqual([])
    const starters = Object.keys(scripts).filter((name) => /^start(:|$)/.test(name))
    expect(starters.filter((name) => !names.has(name))).toEqual([])
  })

  it('list every setting and flag as the catalogue has it (if not: npm run tables)', () => {
    const { text } = pageAt('docs/configuration.md')
    expect(text).toBe(withTables(text))
    const keys = rowsWith('Key', pageAt('docs/configuration.md')).map(([cell]) => codesIn(cell)[0])
    expect(keys).toEqual(expect.arrayContaining(Object.keys(settingsSchema.shape)))
    const flags = rowsWith('Flag', pageAt('docs/configuration.md')).flatMap(([cell]) => codesIn(cell))
    expect(flags).toEqual(expect.arrayContaining(FLAGS.map(({ name }) => `--${name}`)))
  })
})

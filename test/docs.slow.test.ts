import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Commands } from './support/child/commands.ts'
import { needsDatabase } from './support/docs/database.ts'
import { followPage, followSteps } from './support/docs/follow-page.ts'
import { codesIn } from './support/docs/markdown.ts'
import { Newcomer } from './support/docs/newcomer.ts'
import { startCommand } from './support/docs/start-command.ts'
import { CHROMIUM } from './support/page/browser.ts'
import { stepsIn } from './support/page/page-script.ts'
import { pageAt, pages, rowsWith } from './support/page/pages.ts'
import { hasPostgres, SKIPPED } from './support/postgres/cluster.ts'

let newcomer: Newcomer
beforeAll(async () => {
  newcomer = await Newcomer.arrive()
})
afterAll(() => newcomer.leave())

describe('what a page says to try', { timeout: 300_000 }, () => {
  const followed = pages.filter(({ text }) => hasPostgres || !needsDatabase(text))
  it.concurrent.each(followed)('comes out as shown, from top to bottom: $path', async ({ text }) => {
    expect(await followPage(text, newcomer)).toEqual([])
  })

  it.runIf(!hasPostgres)(`is not tried with a database: ${SKIPPED}`, ({ skip }) => skip())

  it.runIf(CHROMIUM === undefined)('is not tried in a browser: there is no Chromium here', ({ skip }) =>
    skip(),
  )

  it('leaves no file of the template behind that nothing uses: docs/vite.md', async () => {
    const steps = stepsIn(pageAt('docs/vite.md').text)
    const edits = steps.filter(
      (step) => step.kind === 'save' || (step.kind === 'run' && /^(?:npm create|rm) /.test(step.command)),
    )
    const { problems, project } = await followSteps(edits, newcomer)
    const inApp = await Promise.all(
      ['src', 'public'].map((folder) => readdir(join(project, folder), { recursive: true })),
    )
    const names = inApp.flat().map((path) => basename(path))
    const sources = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(project, 'src', name))
    const texts = await Promise.all(
      [join(project, 'index.html'), ...sources].map((path) => readFile(path, 'utf8')),
    )
    const unused = names.filter((name) => !texts.some((text) => text.includes(`/${name}`)))
    expect(problems).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['App.tsx', 'main.tsx', 'index.css', 'favicon.svg']))
    expect(unused).toEqual(['tickets.e2e.ts'])
  })

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

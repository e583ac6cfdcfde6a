import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { help } from '../src/cli/help.ts'
import { anchorOf, codesIn, parseMarkdown } from './support/markdown.ts'
import { Newcomer } from './support/newcomer.ts'
import { isAsShown, sessionsIn, typeInto } from './support/terminal-session.ts'

const readme = readFileSync('README.md', 'utf8')
const parts = parseMarkdown(readme)
const headings = parts.flatMap((part) => (part.kind === 'heading' ? [part.text] : []))
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

let newcomer: Newcomer
beforeAll(async () => {
  newcomer = await Newcomer.arrive(
    parts.flatMap((part) => (part.kind === 'fence' && part.file ? [[part.file, part.text] as const] : [])),
  )
})
afterAll(() => newcomer.leave())

describe('what the README tells to try', { timeout: 120_000 }, () => {
  it.concurrent.each(sessionsIn(readme))('answers as shown: $heading ($start)', async ({ start, steps }) => {
    const cwd = await newcomer.copyProject()
    const { port, stop } = await newcomer.start(start, cwd)
    const printed = await typeInto(cwd, port, steps).finally(stop)
    for (const [place, step] of steps.entries()) {
      const output = printed[place] ?? ''
      expect(isAsShown(step, output), `${step.command}\nprinted\n${output}`).toBe(true)
    }
  })

  it('finds what the table of query parameters says', async () => {
    const cwd = await newcomer.copyProject()
    const { port, stop } = await newcomer.start('npm start', cwd)
    const rows = tableWith('ids').filter(([, , example]) => codesIn(example).length > 0)
    const found = rows.map(async ([, , example]) => {
      const answer = await fetch(`http://localhost:${port}${codesIn(example)[0]}`)
      const items = z.array(z.object({ id: z.number() })).parse(await answer.json())
      return [example, items.map(({ id }) => id).join(', ')]
    })
    expect(await Promise.all(found)).toEqual(rows.map(([, , example, ids]) => [example, ids]))
    await stop()
  })

  it('passes in vitest', async () => {
    const cwd = await newcomer.copyProject()
    const vitest = resolve('node_modules/vitest/vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', '--root', cwd], { cwd, stdio: 'ignore' })
    expect(await new Promise((done) => child.once('close', done))).toBe(0)
  })
})

describe('the README', () => {
  it('opens with two sentences and the two commands', () => {
    const [first] = parts.filter((part) => part.kind === 'fence')
    const commands = first?.text.split('\n').map((line) => line.split('#')[0]?.trim())
    expect(commands).toEqual(['npm install && npm start', 'npm install && npm test'])
    const opening = readme.slice(readme.indexOf('\n'), readme.indexOf('```')).trim()
    expect(opening.match(/[.!?](?:\s|$)/g)).toHaveLength(2)
  })

  it('links to what is there', () => {
    const prose = readme.replace(/^```.*?^```/gms, '')
    const targets = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    const local = targets.filter((target) => !/^https?:/.test(target))
    const anchors = new Set(headings.map((heading) => `#${anchorOf(heading)}`))
    const broken = local.filter((target) =>
      target.startsWith('#') ? !anchors.has(target) : !existsSync(target.split('#')[0] ?? ''),
    )
    expect(local.length).toBeGreaterThan(20)
    expect(broken).toEqual([])
  })

  it('gives no two headings one name', () => {
    expect(headings).toEqual([...new Set(headings)])
  })

  it('names npm scripts that exist, and every one that starts a server', () => {
    const named = [...readme.matchAll(/npm (?:run )?(start\b[:\w]*|test\b|(?<=run )[\w:]+)/g)]
    const names = new Set(named.map(([, name = '']) => name))
    expect([...names].filter((name) => scripts[name] === undefined)).toEqual([])
    const starters = Object.keys(scripts).filter((name) => /^start(:|$)/.test(name))
    expect(starters.filter((name) => !names.has(name))).toEqual([])
  })

  it('lists the flags of --help', () => {
    const flags = help()
      .split('\n')
      .filter((line) => /^ {2,9}-/.test(line))
      .map((line) => line.slice(0, 33).split(/[\s,]+/))
    const listed = tableWith('Flag').map(([cell]) => codesIn(cell).flatMap((code) => code.split(' ')))
    const spelled = (rows: readonly (readonly string[])[]) => rows.map((row) => row.filter(Boolean).join(' '))
    expect(spelled(listed)).toEqual(spelled(flags))
  })

  it('lists the keys of the configuration file, in both spellings', () => {
    const schema: Schema = JSON.parse(readFileSync('src/config.schema.json', 'utf8'))
    const listed = tableWith('Key').flatMap(([cell]) => codesIn(cell))
    expect([...listed].sort()).toEqual([...keysOf(schema)].sort())
  })

  it('knows every code that an answer can have', () => {
    const codes = sources('src').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:\bcode: |Error\(\s*|Code = |\| )'([A-Z]+_[A-Z_]+)'/g)].map(
        ([, code = '']) => code,
      ),
    )
    const unknown = [...new Set(codes)].filter((code) => !readme.includes(`\`${code}\``))
    expect(codes.length).toBeGreaterThan(15)
    expect(unknown).toEqual([])
  })
})

/** The rows of the tables that have such a column. */
function tableWith(column: string): readonly (readonly string[])[] {
  return parts.flatMap((part) => (part.kind === 'row' && part.head.includes(column) ? [part.cells] : []))
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}

/** The keys at the top, and those below the ones in camelCase with a dot. */
function keysOf(schema: Schema): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const options = [inner, ...(inner.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties))
    const below = options.filter((option) => !option.includes('-')).map((option) => `${key}.${option}`)
    return [key, ...below]
  })
}

function sources(directory: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.ts$/.test(file) && !file.startsWith('dashboard'))
    .map((file) => join(directory, file))
}

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { asLong } from '../support/length.ts'

const run = promisify(execFile)

const FOLDERS = readdirSync('src/features', { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** Each feature that has a folder. In short: one of them. */
const NAMES = asLong(
  ['faults'],
  FOLDERS.map(({ name }) => name),
)

/** Commands and doors that call `describeApi`, `followApi`, `growData` and `importDescription`, which go with them. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  describe: ['cli/describe.ts', 'doors/vite.ts'],
  grow: ['cli/grow.ts'],
  import: ['cli/import.ts'],
}

it.each(NAMES)(
  'what is left without the folder of %s compiles and serves',
  { timeout: 300_000 },
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'restable-without-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const copied of ['src', 'data', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
      await cp(copied, join(folder, copied), { recursive: true })
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    await rm(join(folder, 'src/features', name), { recursive: true })
    for (const list of [
      'src/features/list.ts',
      'src/features/settings.ts',
      'src/index.ts',
      'src/internals.ts',
    ])
      await change(join(folder, list), (text) => withoutLines(text, `/${name}/`))
    for (const caller of CALLERS[name] ?? []) {
      await rm(join(folder, 'src', caller))
      for (const user of name === 'describe' ? ['run.ts'] : ['run.ts', 'describe.ts'])
        await change(join(folder, 'src/cli', user), (text) =>
          text.replaceAll(new RegExp(`.*import\\('\\./${basename(caller)}'\\).*\n`, 'g'), ''),
        )
    }
    await writeFile(join(folder, 'ask.mts'), ASK)
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const checked = await run(process.execPath, [tsc, '--noEmit', '-p', 'tsconfig.build.json'], {
      cwd: folder,
    }).catch(({ stdout }) => ({ stdout }))
    expect(checked.stdout).toBe('')
    const served = await run(process.execPath, ['--import', import.meta.resolve('tsx'), 'ask.mts'], {
      cwd: folder,
    })
    expect(JSON.parse(served.stdout)).toEqual({ list: [{ id: 1, title: 'a' }], created: 201, deleted: 200 })
  },
)

const ASK = `
import { start } from './src/index.ts'
const { url, close } = await start({ data: { posts: [{ id: 1, title: 'a' }] }, port: 0 })
const list = await (await fetch(url + '/posts?title_like=A')).json()
const headers = { 'Content-Type': 'application/json' }
const { status: created } = await fetch(url + '/posts', { method: 'POST', headers, body: '{"title":"b"}' })
const { status: deleted } = await fetch(url + '/posts/1', { method: 'DELETE' })
console.log(JSON.stringify({ list, created, deleted }))
await close()
`

async function change(path: string, edit: (text: string) => string): Promise<void> {
  await writeFile(path, edit(await readFile(path, 'utf8')))
}

/** Without the statements that name a folder, and the lines with what they import. */
function withoutLines(text: string, folder: string): string {
  const statements = text.match(/^(?:import|export) [^;]*?from '.*'\n/gm) ?? []
  const ours = statements.filter((statement) => statement.trimEnd().split('\n').at(-1)?.includes(folder))
  const names = ours.flatMap((statement) => /^import \{ (\w+) \}/.exec(statement)?.[1] ?? [])
  const rest = ours.reduce((left, statement) => left.replace(statement, ''), text)
  const isOurs = (line: string) => names.some((name) => new RegExp(`\\b${name}\\b`).test(line))
  return rest
    .split('\n')
    .filter((line) => !isOurs(line))
    .join('\n')
}

import { createHash } from 'node:crypto'
import { appendFile, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endLaunched, launch } from '../support/child/launch.ts'
import { folderOf } from '../support/folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const keepsItself = process.versions.node.startsWith('20.')
if (!keepsItself) console.warn('Node 22 and later keep compiled code themselves: these tests need Node 20.')

let folder: string
let run: string
let compiled: string

/** A copy of the package whose command prints "one" when it is loaded. */
beforeEach(async () => {
  folder = folderOf()
  run = join(folder, 'dist/bundle/run.cjs')
  compiled = join(folder, 'dist/compiled')
  await cp(join(root, 'dist/bundle'), join(folder, 'dist/bundle'), { recursive: true })
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await appendFile(run, '\nprocess.stderr.write("one\\n")\n')
  await writeFile(join(folder, 'db.json'), '{"posts":[{"id":1}]}')
})

afterEach(() => {
  endLaunched()
})

async function started(env?: Readonly<Record<string, string>>) {
  const program = join(folder, 'dist/bundle/bin.cjs')
  const server = launch(['db.json', '--port', '0'], { cwd: folder, program, ...(env && { env }) })
  expect((await fetch(`${await server.url()}/posts/1`)).status).toBe(200)
  return server
}

/** The file of compiled code, once a start has left it. */
function kept(): Promise<string> {
  return vi.waitFor(
    async () => {
      const names = await readdir(compiled)
      expect(names).toEqual([`${process.version}-${process.arch}`])
      return join(compiled, String(names[0]))
    },
    { timeout: 20_000 },
  )
}

async function stopped(server: Awaited<ReturnType<typeof started>>) {
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  return server.stderr()
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

describe.skipIf(!keepsItself)('the compiled code of the command', { timeout: 60_000 }, () => {
  it('is kept by a start, and used by the next one', async () => {
    const first = await started()
    const file = await kept()
    expect(await stopped(first)).toBe('one\n')

    // The code of "one" is passed off as that of "two": what is printed shows which was run.
    const source = (await readFile(run, 'utf8')).replace('"one\\n"', '"two\\n"')
    await writeFile(run, source)
    const codes: Map<string, object> = deserialize((await readFile(file)).subarray(64))
    codes.set('run.cjs', { ...codes.get('run.cjs'), sourceHash: hash(source) })
    const content = serialize(codes)
    await writeFile(file, Buffer.concat([Buffer.from(hash(content)), content]))
    expect(await stopped(await started())).toBe('one\n')
  })

  it('loads ES modules and TypeScript, and Node warns of nothing', async () => {
    await writeFile(join(folder, 'plain.mjs'), 'export default (req, res, next) => next()')
    await writeFile(
      join(folder, 'typed.ts'),
      'export default (_: unknown, __: unknown, next: () => void) => next()',
    )
    await writeFile(
      join(folder, 'restable.config.mjs'),
      "export default { middlewares: ['./plain.mjs', './typed.ts'] }",
    )
    for (const _ of ['first', 'second']) {
      const server = await started()
      await kept()
      expect(await stopped(server)).toBe('one\n')
    }
  })

  it('is not used once its source has changed, and is kept again', async () => {
    const first = await started()
    const file = await kept()
    await stopped(first)
    const before = await readFile(file)

    // Of the same length.
    await writeFile(run, (await readFile(run, 'utf8')).replace('"one\\n"', '"two\\n"'))
    const second = await started()
    await vi.waitFor(async () => expect((await readFile(file)).equals(before)).toBe(false), {
      timeout: 20_000,
    })
    expect(await stopped(second)).toBe('two\n')
    expect(await stopped(await started())).toBe('two\n')
  })

  it.each([
    ['was cut off', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['has a wrong byte', (bytes: Buffer) => bytes.fill(~Number(bytes[9000]), 9000, 9001)],
  ])('is not used if its file %s', async (_, damage) => {
    const first = await started()
    const file = await kept()
    await stopped(first)
    const damaged = damage(await readFile(file))
    await writeFile(file, damaged)

    const second = await started()
    await vi.waitFor(async () => expect((await readFile(file)).equals(damaged)).toBe(false), {
      timeout: 20_000,
    })
    expect(await stopped(second)).toBe('one\n')
  })

  it.each([
    ['is not kept if NODE_DISABLE_COMPILE_CACHE is set', { NODE_DISABLE_COMPILE_CACHE: '1' }, undefined],
    ['may be impossible to keep: the server says nothing, and goes on', {}, 'not a folder'],
  ])('%s', async (_, env, inTheWay) => {
    if (inTheWay) await writeFile(compiled, inTheWay)
    // Code is kept after a second.
    await appendFile(run, 'setTimeout(() => process.stderr.write("later\\n"), 1500)\n')
    const server = await started(env)
    await server.printed(/later/)
    expect(await stopped(server)).toBe('one\nlater\n')
    expect(await readFile(compiled, 'utf8').catch(() => undefined)).toBe(inTheWay)
  })
})

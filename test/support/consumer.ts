import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** What stands in the package beside the built program. */
const SHIPPED = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'data/hosted-examples.json',
  'lib/cli/bin.js',
]

const Packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })])

export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** A project that has restable installed from its package. */
export interface Consumer {
  readonly folder: string
  /** The files of the package. */
  readonly files: readonly string[]
  /** Runs a file of this content, as the project's own, on this Node or another. */
  runFile(name: string, content: string, node?: string): Promise<Output>
  /** Runs an installed command to its end. */
  runCommand(name: string, ...args: readonly string[]): Promise<Output>
  /** Lets the compiler check a file of this content; resolves with what it complains about. */
  checkTypes(name: string, content: string): Promise<string>
  remove(): Promise<void>
}

export interface ConsumerOptions {
  /** What the project calls the package. */
  readonly as?: string
  /** What it installs besides, as npm is told. */
  readonly packages?: readonly string[]
}

/**
 * Packs what was built before the tests began, apart from the project so that nothing else gets in, and installs
 * it where nothing of this project can be found by accident.
 */
export async function createConsumer({
  as = 'restable',
  packages = [],
}: ConsumerOptions = {}): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'restable-package-'))
  const { tarball, files } = await pack(join(folder, 'package'))
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "consumer", "private": true }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', ['install', `${as}@file:${tarball}`, ...packages, ...quietly], project)
  const put = async (name: string, content: string): Promise<string> => {
    await writeFile(join(project, name), content)
    return name
  }
  return {
    folder: project,
    files,
    runFile: async (name, content, node = process.execPath) => run(node, [await put(name, content)], project),
    runCommand: (name, ...args) => run(join(project, 'node_modules/.bin', name), args, project),
    async checkTypes(name, content) {
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--types',
        'node',
      ]
      const checked = run(process.execPath, [TSC, ...options, await put(name, content)], project)
      return checked.then(
        ({ stdout }) => stdout,
        (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
      )
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function pack(stage: string): Promise<{ tarball: string; files: readonly string[] }> {
  await cp(join(ROOT, 'dist'), join(stage, 'dist'), { recursive: true })
  for (const file of SHIPPED) {
    await mkdir(dirname(join(stage, file)), { recursive: true })
    await copyFile(join(ROOT, file), join(stage, file))
  }
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], stage)
  const [{ filename, files }] = Packed.parse(JSON.parse(stdout))
  return { tarball: join(stage, filename), files: files.map(({ path }) => path) }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<Output> {
  return promisify(execFile)(command, [...args], { cwd, encoding: 'utf8' })
}

import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { oncePerRun } from './once-per-run.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** What the package contains besides the built program. */
const SHIPPED = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'data/hosted-examples.json',
  'lib/cli/bin.js',
]

const Packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })])

interface Output {
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

/** Installs the build where nothing of this project can be found by accident. */
export async function createConsumer({
  as = 'restable',
  packages = [],
}: ConsumerOptions = {}): Promise<Consumer> {
  const { tarball, files } = await packBuilt()
  const project = await mkdtemp(join(tmpdir(), 'restable-package-'))
  const manifest = '{ "name": "consumer", "private": true }'
  await writeFile(join(project, 'package.json'), manifest)
  const installed = await oncePerRun(`${as} ${packages.join(' ')}`, async (folder) => {
    await writeFile(join(folder, 'package.json'), manifest)
    await installInto(folder, `${as}@file:${tarball}`, ...packages)
  })
  await symlink(join(installed.folder, 'node_modules'), join(project, 'node_modules'))
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
    remove: () => rm(project, { recursive: true, force: true }),
  }
}

/** Installs packages in a project, as npm is told. */
export async function installInto(project: string, ...packages: readonly string[]): Promise<void> {
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', ['install', ...packages, ...quietly], project)
}

/** The build as a package, packed in a separate folder, so that nothing else gets in. */
export async function packBuilt(): Promise<{ tarball: string; files: readonly string[] }> {
  const { folder, result } = await oncePerRun('package', async (stage) => {
    for (const name of ['dist', 'docs']) await cp(join(ROOT, name), join(stage, name), { recursive: true })
    for (const file of SHIPPED) {
      await mkdir(dirname(join(stage, file)), { recursive: true })
      await copyFile(join(ROOT, file), join(stage, file))
    }
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], stage)
    const [{ filename, files }] = Packed.parse(JSON.parse(stdout))
    return { filename, files: files.map(({ path }) => path) }
  })
  return { tarball: join(folder, result.filename), files: result.files }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<Output> {
  return promisify(execFile)(command, [...args], { cwd, encoding: 'utf8' })
}

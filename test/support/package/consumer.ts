import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { linkInto } from './link-into.ts'
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
  'data/db.json',
  'data/hosted-examples.json',
  'src/page/screenshot.png',
  'lib/cli/bin.js',
]

const MANIFEST = '{ "name": "consumer", "private": true }'

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
  /** Lets the compiler check files of these contents; resolves with what it complains about. */
  checkTypes(files: Readonly<Record<string, string>>, kind?: TypesKind): Promise<string>
  remove(): Promise<void>
}

/** How types are checked. */
interface TypesKind {
  /** Which compiler: ours, or the one that the project has installed. */
  readonly compiler?: 'ours' | 'installed'
  /** Flags in place of those for ES modules and CommonJS as Node has them. */
  readonly flags?: readonly string[]
}

export interface ConsumerOptions {
  /** What the project calls the package. */
  readonly as?: string
  /** What it installs besides, as npm is told. */
  readonly packages?: readonly string[]
}

/** Middleware packages that are made for json-server. Installed together: however little it installs, npm takes seconds. */
export const MADE_FOR_JSON_SERVER = ['json-server-auth@2.1.0', 'json-server-reset@1.6.4']

/** Installs the build where nothing of this project can be found by accident. */
export async function createConsumer({
  as = 'restable',
  packages = [],
}: ConsumerOptions = {}): Promise<Consumer> {
  const { files } = await packBuilt()
  const project = await mkdtemp(join(tmpdir(), 'restable-package-'))
  await writeFile(join(project, 'package.json'), MANIFEST)
  await symlink(await installBuilt({ as, packages }), join(project, 'node_modules'))
  const put = async (name: string, content: string): Promise<string> => {
    await writeFile(join(project, name), content)
    return name
  }
  return {
    folder: project,
    files,
    runFile: async (name, content, node = process.execPath) => run(node, [await put(name, content)], project),
    runCommand: (name, ...args) => run(join(project, 'node_modules/.bin', name), args, project),
    async checkTypes(contents, { compiler = 'ours', flags = ['--module', 'nodenext'] } = {}) {
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', ...flags]
      const tsc = compiler === 'ours' ? TSC : join(project, 'node_modules/typescript/bin/tsc')
      const names = await Promise.all(Object.entries(contents).map(([name, content]) => put(name, content)))
      const checked = run(process.execPath, [tsc, ...options, ...names], project)
      return checked.then(
        ({ stdout }) => stdout,
        (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
      )
    },
    remove: () => rm(project, { recursive: true, force: true }),
  }
}

/**
 * The `node_modules` of a project that installed the build. Once per run: it is slow, and always gives the same. Who wants more
 * than the build begins where those are who do not.
 */
export async function installBuilt({ as = 'restable', packages = [] }: ConsumerOptions): Promise<string> {
  const isPlain = as === 'restable' && packages.length === 0
  const plain = isPlain ? undefined : await installBuilt({})
  const { folder } = await oncePerRun(`${as} ${packages.join(' ')}`, async (project) => {
    await writeFile(join(project, 'package.json'), MANIFEST)
    if (plain) await linkInto(project, [plain])
    const { tarball } = await packBuilt()
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
    await run('npm', ['install', `${as}@file:${tarball}`, ...packages, ...quietly], project)
  })
  return join(folder, 'node_modules')
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

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { run as generate } from '../../../scripts/generate/run.ts'
import { packageVersion } from '../../../src/core/kernel/util/package-version.ts'
import { endCommands } from '../child/command-pool.ts'
import { endLaunched } from '../child/launch.ts'
import { installBuilt, MADE_FOR_JSON_SERVER, packBuilt } from '../package/consumer.ts'
import { install } from '../package/install.ts'

/** What the commands of a page need, besides the data. */
const COPIED = ['package.json', 'scripts/examples', 'routes.json', 'json-server.config.json']
/** What a reader's project already has in node_modules. */
const LINKED = {
  vite: 'node_modules/vite',
  '@vitejs/plugin-react': 'node_modules/@vitejs/plugin-react',
  '@tanstack/react-query': 'node_modules/@tanstack/react-query',
  react: 'node_modules/react',
  'react-dom': 'node_modules/react-dom',
  vitest: 'node_modules/vitest',
  '@playwright/test': 'node_modules/@playwright/test',
  msw: 'node_modules/msw',
  express: 'node_modules/express',
  '.bin/restable': 'dist/bundle/bin.cjs',
}

/** Where this package is, for the projects of all pages: only a link leads there. */
const INSTALLED = 'installed/node_modules/restable'
/** What a program finds of this package. */
const PACKAGE = ['package.json', 'dist', 'lib', 'data/hosted-examples.json']

/** This package as a page names it, with or without another name for it. */
const TARBALL = new RegExp(
  `^(?:([\\w-]+)@file:)?\\.\\./restable/restable-${packageVersion().replaceAll('.', '\\.')}\\.tgz$`,
)

/** The folders of a reader: a copy of this repository, and their own project. */
export interface Desk {
  readonly repository: string
  readonly project: string
}

const run = promisify(execFile)

/** A reader who follows the pages, with fresh data for each. */
export class Newcomer {
  readonly #folder: string
  /** Projects with a package.json of their own, made by `create`. */
  readonly #created = new Set<string>()
  #count = 0

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async arrive(): Promise<Newcomer> {
    const folder = await mkdtemp(join(tmpdir(), 'restable-newcomer-'))
    await generateInto(join(folder, 'db.json'), ['--seed', '2026'])
    // In a node_modules, as where it is installed: vitest would transform each file of a mere link to this folder.
    const installed = join(folder, INSTALLED)
    for (const path of PACKAGE) await cp(path, join(installed, path), { recursive: true })
    // The sample data as it is shipped, whatever somebody made of the file here.
    await cp(join(folder, 'db.json'), join(installed, 'data/db.json'))
    await symlink(resolve('node_modules'), join(installed, 'node_modules'))
    return new Newcomer(folder)
  }

  async sitDown(): Promise<Desk> {
    const repository = await this.#newFolder()
    await mkdir(join(repository, 'data'))
    await cp(join(this.#folder, 'db.json'), join(repository, 'data/db.json'))
    for (const path of COPIED) await cp(path, join(repository, path), { recursive: true })
    const project = await this.#newFolder()
    for (const [name, path] of Object.entries(LINKED)) {
      const link = join(project, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(resolve(path), link)
    }
    await symlink(join(this.#folder, INSTALLED), join(project, 'node_modules/restable'))
    return { repository, project }
  }

  /** The project that `npm create vite@latest NAME -- --template …` makes. */
  async create(command: string): Promise<string> {
    const [, , , name = '', , ...flags] = command.split(' ')
    // The major version that the page was written for.
    const { require } = await install('create-vite@9')
    const parent = await this.#newFolder()
    const program = join(require.resolve('create-vite/package.json'), '../index.js')
    await run(process.execPath, [program, name, ...flags, '--no-interactive'], { cwd: parent })
    const project = join(parent, name)
    this.#created.add(project)
    return project
  }

  /** The project in which `npm install …` was run. The command's tarball is replaced by this build's. */
  async install(command: string, project: string): Promise<string> {
    const words = command.replace(/^npm install (?:--save-dev )?/, '').split(' ')
    if (!this.#created.has(project)) return this.#installInNew(command, words)
    const { tarball } = await packBuilt()
    const packages = words.map((word) => (TARBALL.test(word) ? tarball : word))
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
      cwd: project,
    })
    return project
  }

  async leave(): Promise<void> {
    endLaunched()
    endCommands()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #installInNew(command: string, words: readonly string[]): Promise<string> {
    const [built, ...others] = words.map((word) => TARBALL.exec(word))
    if (!built || others.some(Boolean)) throw new Error(`Only the first of "${command}" can be this package`)
    const project = await this.#newFolder()
    const packages = words.slice(1).flatMap((word) => familyOf(word))
    const modules = await installBuilt({ as: built[1] ?? 'restable', packages: [...new Set(packages)] })
    await symlink(modules, join(project, 'node_modules'))
    return project
  }

  async #newFolder(): Promise<string> {
    this.#count += 1
    const folder = join(this.#folder, `desk-${this.#count}`)
    await mkdir(folder)
    return folder
  }
}

/** What is installed with a package: what other tests install, if it is among that. */
function familyOf(name: string): readonly string[] {
  return MADE_FOR_JSON_SERVER.some((one) => one.startsWith(`${name}@`)) ? MADE_FOR_JSON_SERVER : [name]
}

let generated: Promise<unknown> = Promise.resolve()

/** `npm run generate`, silently. One at a time: in one process, they would share a random generator. */
export function generateInto(file: string, flags: readonly string[]): Promise<void> {
  const silent = { write: () => true }
  const mine = generated.then(async () => {
    const code = await generate([...flags, '--out', file], { out: silent, err: silent })
    if (code !== 0) throw new Error(`npm run generate -- ${flags.join(' ')} ended with ${code}`)
  })
  generated = mine.catch(() => undefined)
  return mine
}

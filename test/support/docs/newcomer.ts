import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run as generate } from '../../../scripts/generate/run.ts'
import { endLaunched } from '../launch.ts'
import { installInto, packBuilt } from '../package/consumer.ts'

/** What the commands of a page work on, beside the data. */
const COPIED = ['package.json', 'scripts/examples', 'routes.json', 'json-server.config.json']
/** What a reader's own project has in node_modules without being told to install it. */
const LINKED = {
  restable: '.',
  vite: 'node_modules/vite',
  vitest: 'node_modules/vitest',
  '.bin/restable': 'dist/bin.js',
}

/** The folders of somebody who reads one page: a copy of this repository, and a project of their own. */
export interface Desk {
  readonly repository: string
  readonly project: string
}

/** Somebody who does what the pages say, with fresh data for each. */
export class Newcomer {
  readonly #folder: string
  #count = 0
  #tarball: Promise<string> | undefined
  /** Where a command was really typed: it takes its time, and gives the same each time. */
  readonly #installed = new Map<string, Promise<string>>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async arrive(): Promise<Newcomer> {
    const folder = await mkdtemp(join(tmpdir(), 'restable-newcomer-'))
    await generateInto(join(folder, 'db.json'), ['--seed', '2026'])
    return new Newcomer(folder)
  }

  async sitDown(): Promise<Desk> {
    const repository = await this.#newFolder()
    await mkdir(join(repository, 'data'))
    await cp(join(this.#folder, 'db.json'), join(repository, 'data/db.json'))
    for (const path of COPIED) await cp(path, join(repository, path), { recursive: true })
    const project = await this.#newFolder()
    await mkdir(join(project, 'node_modules/.bin'), { recursive: true })
    for (const [name, path] of Object.entries(LINKED))
      await symlink(resolve(path), join(project, 'node_modules', name))
    return { repository, project }
  }

  /** A project in which `npm install --save-dev …` was typed. */
  async install(command: string): Promise<string> {
    const installed = this.#installed.get(command) ?? this.#installOnce(command)
    this.#installed.set(command, installed)
    const project = await this.#newFolder()
    await symlink(join(await installed, 'node_modules'), join(project, 'node_modules'))
    return project
  }

  /** The tarball that the command names is that of this build. */
  async #installOnce(command: string): Promise<string> {
    this.#tarball ??= packBuilt(join(this.#folder, 'package')).then(({ tarball }) => tarball)
    const tarball = await this.#tarball
    const version = /"version": "(.*)"/.exec(await readFile('package.json', 'utf8'))?.[1]
    const packages = command.replace(/^npm install --save-dev /, '').split(' ')
    const folder = await this.#newFolder()
    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    const named = packages.map((name) => name.replace(`../restable/restable-${version}.tgz`, tarball))
    await installInto(folder, ...named)
    return folder
  }

  async leave(): Promise<void> {
    endLaunched()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #newFolder(): Promise<string> {
    this.#count += 1
    const folder = join(this.#folder, `desk-${this.#count}`)
    await mkdir(folder)
    return folder
  }
}

let generated: Promise<unknown> = Promise.resolve()

/** `npm run generate`, silently. One at a time: in one process they would draw from the same random numbers. */
export function generateInto(file: string, flags: readonly string[]): Promise<void> {
  const silent = { write: () => true }
  const mine = generated.then(async () => {
    const code = await generate([...flags, '--out', file], { out: silent, err: silent })
    if (code !== 0) throw new Error(`npm run generate -- ${flags.join(' ')} ended with ${code}`)
  })
  generated = mine.catch(() => undefined)
  return mine
}

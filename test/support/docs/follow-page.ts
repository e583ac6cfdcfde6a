import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { borrowCommands, returnCommands } from '../child/command-pool.ts'
import { type Step, stepsIn, type Typed } from '../page/page-script.ts'
import { isAsShown } from './as-shown.ts'
import { isOfDatabase, runOfDatabase, withDatabase } from './database.ts'
import { type Desk, generateInto, type Newcomer } from './newcomer.ts'
import { isBuilt, type Running, startCommand } from './start-command.ts'
import { Terminal } from './terminal.ts'

/** In the reader's node_modules. */
const PROGRAMS: Readonly<Record<string, string>> = {
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
  tsc: 'typescript/bin/tsc',
}

/** Vite's port. */
const VITE = '5173'

/** Follows a page from top to bottom with one set of data; returns what did not come out as shown. */
export async function followPage(page: string, newcomer: Newcomer): Promise<readonly string[]> {
  const { problems } = await followSteps(stepsIn(page), newcomer)
  return problems
}

/** What did not come out as shown, and the reader's project as the steps left it. */
export async function followSteps(
  steps: readonly Step[],
  newcomer: Newcomer,
): Promise<{ readonly problems: readonly string[]; readonly project: string }> {
  const reader = new Reader(newcomer, await newcomer.sitDown())
  const problems: string[] = []
  try {
    for (const step of steps) {
      const problem = await reader.take(step)
      if (problem !== undefined) problems.push(problem)
    }
  } finally {
    await reader.close()
  }
  return { problems, project: reader.project }
}

class Reader {
  readonly #newcomer: Newcomer
  readonly #terminal = new Terminal()
  #desk: Desk
  /** The running servers, by the port the page uses. */
  readonly #running = new Map<string, Running>()

  constructor(newcomer: Newcomer, desk: Desk) {
    this.#newcomer = newcomer
    this.#desk = desk
  }

  get project(): string {
    return this.#desk.project
  }

  async take(step: Step): Promise<string | undefined> {
    switch (step.kind) {
      case 'save':
        return this.#save(step.file, step.text)
      case 'start':
        return this.#start(step.command)
      case 'run':
        return this.#run(step.command)
      default:
        return this.#type(step)
    }
  }

  async close(): Promise<void> {
    await this.#terminal.close()
    for (const server of this.#running.values()) await server.stop()
  }

  /** In both folders: the command decides whether it runs here or in the reader's project. */
  async #save(file: string, text: string): Promise<undefined> {
    const here = await withDatabase(this.#here(text))
    for (const folder of Object.values(this.#desk)) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), here)
    }
  }

  async #start(command: string): Promise<undefined> {
    const name = command === 'npx vite' ? VITE : (/^npx restable .*--port (\d+)/.exec(command)?.[1] ?? '3000')
    await this.#running.get(name)?.stop()
    const server = await startCommand(await withDatabase(this.#here(command)), this.#desk)
    this.#running.set(name, server)
    await this.#terminal.type(`cd '${server.folder}'`)
  }

  async #run(command: string): Promise<string | undefined> {
    const [tool, verb = '', ...rest] = command.split(' ')
    if (tool === 'rm') {
      for (const path of rest) await rm(join(this.#desk.project, path), { recursive: true })
      return undefined
    }
    if (verb === 'create') {
      this.#desk = { ...this.#desk, project: await this.#newcomer.create(command) }
      return undefined
    }
    if (verb === 'run') {
      const flags = command.split(' -- ')[1]?.split(' ') ?? []
      await generateInto(join(this.#desk.repository, 'data/db.json'), flags)
      return undefined
    }
    if (verb === 'install') {
      this.#desk = { ...this.#desk, project: await this.#newcomer.install(command, this.#desk.project) }
      return undefined
    }
    const typed = await withDatabase(command)
    const program = join(this.#desk.project, 'node_modules/.bin/restable')
    const isOurs = verb === 'restable'
    if (isOurs && (await isBuilt(program))) return this.#runBuilt(typed)
    const child = isOfDatabase(command)
      ? await runOfDatabase(command, this.#desk.project)
      : this.#spawn(typed, isOurs ? program : join(this.#desk.project, 'node_modules', PROGRAMS[verb] ?? ''))
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    const [code] = await once(child, 'close')
    return code === 0 ? undefined : `${command}\nended with ${code}\n${printed}`
  }

  async #runBuilt(command: string): Promise<string | undefined> {
    const [, , ...args] = command.split(' ')
    const commands = borrowCommands()
    const { code, stdout, stderr } = await commands.run(args, this.#desk.project)
    returnCommands(commands)
    return code === 0 ? undefined : `${command}\nended with ${code}\n${stdout}${stderr}`
  }

  #spawn(command: string, program: string): ChildProcessWithoutNullStreams {
    const [tool, verb = '', ...rest] = command.split(' ')
    const args = tool === 'npx' ? [program, ...rest] : [verb, ...rest]
    return spawn(process.execPath, args, { cwd: this.#desk.project })
  }

  async #type(step: Typed): Promise<string | undefined> {
    if (this.#running.size === 0) return `${step.command}\nThe page has not said which server must run.`
    const here = this.#here(step.command)
    const printed = await this.#terminal.type(
      step.kind === 'script' ? here : here.replace(/^curl /, `curl -w '\\n%{http_code}' `),
    )
    return isAsShown(step, printed) ? undefined : `${step.command}\nprinted\n${printed}`
  }

  /** The text with the servers' actual ports. */
  #here(text: string): string {
    let here = text
    for (const [name, { port }] of this.#running)
      here = here.replaceAll(`localhost:${name}`, `localhost:${port}`)
    return here
  }
}

import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import { type RunningServer, type Settings, type StartOptions, start } from '../../../src/index.ts'
import { mergeSettings, readConfigFile } from '../../../src/internals.ts'
import { folderOf } from '../folder.ts'
import { builtModule } from '../package/built-module.ts'

const sources = { start, readConfigFile, mergeSettings }
type Module = typeof sources

/** A server that watches its files. */
export interface Watched {
  readonly server: RunningServer
  /** What was printed so far. */
  readonly lines: readonly string[]
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<Response>
}

/** A folder for one test, and the servers started in it. */
export class Folder {
  readonly #servers: RunningServer[] = []
  readonly path: string
  readonly #module: Module

  static create(): Promise<Folder> {
    return Folder.#make(sources)
  }

  /** For servers that load ES modules, which vitest would otherwise transform. */
  static createForBuilt(): Promise<Folder> {
    return Folder.#make({ ...builtModule<Module>('index.js'), ...builtModule<Module>('internals.js') })
  }

  static async #make(module: Module): Promise<Folder> {
    return new Folder(folderOf(), module)
  }

  private constructor(path: string, module: Module) {
    this.path = path
    this.#module = module
  }

  file(name: string): string {
    return join(this.path, name)
  }

  /** Writes in place. */
  async write(name: string, content: unknown): Promise<string> {
    const file = this.file(name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** Writes a temp file and renames it, as editors and the generator do. */
  async replace(name: string, content: unknown): Promise<void> {
    await rename(await this.write(`${name}.new`, content), this.file(name))
  }

  async serve(options: StartOptions): Promise<Watched> {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const server = await this.#module.start({ watch: true, ...options, print })
    this.#servers.push(server)
    return {
      server,
      lines,
      get: async (path) => (await fetch(server.url + path)).json(),
      post: (path, body) =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    }
  }

  /** Like the command line: settings of a config file, overridden by others. */
  async serveConfig(name: string, over: Settings = {}): Promise<Watched> {
    const path = this.file(name)
    const { mergeSettings, readConfigFile } = this.#module
    const read = async () => mergeSettings(await readConfigFile(path), over)
    return this.serve({ ...(await read()), configFile: { path, read } })
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()))
    await rm(this.path, { recursive: true, force: true })
  }
}

/** Waits until it is as expected. */
export function eventually(check: () => unknown): Promise<void> {
  return vi.waitFor(
    async () => {
      await check()
    },
    { timeout: 10_000, interval: 15 },
  )
}

/** Waits until a line was printed, and returns how many such lines there are. */
export async function printed(lines: readonly string[], pattern: RegExp): Promise<number> {
  await eventually(() => expect(lines.some((line) => pattern.test(line))).toBe(true))
  return lines.filter((line) => pattern.test(line)).length
}

/** Without what is said of requests that come before the rules that they are about. */
export function withoutHints(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.includes(' is not a resource. '))
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { z } from 'zod'
import { run as generate } from '../../scripts/generate/run.ts'
import { endLaunched, launch } from './launch.ts'

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) })

/** Files that the reader of a document is asked to make: name and content. */
export type AskedFor = readonly (readonly [string, string])[]

export interface Running {
  readonly port: number
  stop(): Promise<unknown>
}

/** Somebody who does what a document says, each time in a fresh copy of the project. */
export class Newcomer {
  readonly #folder: string
  readonly #files: AskedFor
  #copies = 0

  private constructor(folder: string, files: AskedFor) {
    this.#folder = folder
    this.#files = files
  }

  /** Has the data as shipped, whatever has become of the one in this folder by now. */
  static async arrive(files: AskedFor): Promise<Newcomer> {
    const folder = await mkdtemp(join(tmpdir(), 'restable-newcomer-'))
    const silent = { write: () => true }
    await generate(['--seed', '2026', '--out', join(folder, 'db.json')], { out: silent, err: silent })
    return new Newcomer(folder, files)
  }

  /** A folder with what the commands of the document work on, and with the files that it asks for. */
  async copyProject(): Promise<string> {
    this.#copies += 1
    const cwd = join(this.#folder, `copy-${this.#copies}`)
    for (const path of ['data', 'node_modules']) await mkdir(join(cwd, path), { recursive: true })
    await cp(join(this.#folder, 'db.json'), join(cwd, 'data/db.json'))
    for (const path of ['scripts/examples', 'routes.json', 'json-server.config.json']) {
      await cp(path, join(cwd, path), { recursive: true })
    }
    await symlink(resolve('.'), join(cwd, 'node_modules/restable'), 'dir')
    await symlink(resolve('node_modules/vitest'), join(cwd, 'node_modules/vitest'), 'dir')
    for (const [name, content] of this.#files) await writeFile(join(cwd, name), content)
    return cwd
  }

  /** Types `npm start -- -m cors`, `npm run start:alt` or `node file.mjs`, but for a free port. */
  async start(command: string, cwd: string): Promise<Running> {
    const [words = '', flags = ''] = command.split(' -- ')
    if (words.startsWith('node ')) return runFile(words.slice('node '.length), cwd)
    const { scripts } = Manifest.parse(JSON.parse(await readFile('package.json', 'utf8')))
    const script = scripts[words.replace(/^npm (?:run )?/, '')] ?? ''
    const [, , ...given] = script.split(' ')
    const server = launch([...given, ...flags.split(' ').filter(Boolean), '--port', '0'], { cwd })
    const port = Number(new URL(await server.url()).port)
    return {
      port,
      stop() {
        server.child.kill()
        return server.ended
      },
    }
  }

  async leave(): Promise<void> {
    endLaunched()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** A program of the document; it names its port itself. */
async function runFile(file: string, cwd: string): Promise<Running> {
  const port = await freePort()
  const program = await readFile(join(cwd, file), 'utf8')
  await writeFile(join(cwd, file), program.replace('3000', String(port)))
  const child = spawn(process.execPath, [file], { cwd, stdio: 'ignore' })
  const ended = once(child, 'close')
  const stop = () => {
    child.kill()
    return ended
  }
  const isUp = () => fetch(`http://localhost:${port}`).then(Boolean, () => false)
  try {
    await vi.waitUntil(isUp, { timeout: 30_000, interval: 100 })
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

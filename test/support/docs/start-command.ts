import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { z } from 'zod'
import { borrowCommands, returnCommands } from '../child/command-pool.ts'
import { launch } from '../child/launch.ts'
import type { Desk } from './newcomer.ts'

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) })

export interface Running {
  readonly port: number
  /** Where it was started, and where the reader continues typing. */
  readonly folder: string
  stop(): Promise<unknown>
}

/** Starts what a page says (`npm start -- -m cors`, `npx restable db.json`, `node server.mjs`), but on a free port. */
export async function startCommand(command: string, { repository, project }: Desk): Promise<Running> {
  const [tool, name = '', ...rest] = command.split(' ')
  if (tool === 'node') return runFile(name, project)
  if (name === 'vite') return runVite(project)
  if (tool === 'npx') return runProgram(join(project, 'node_modules/.bin', name), rest, project)
  const [words = '', flags = ''] = command.replace(/^npm install && /, '').split(' -- ')
  const { scripts } = Manifest.parse(JSON.parse(await readFile('package.json', 'utf8')))
  const script = scripts[words.replace(/^npm (?:run )?/, '')]
  if (script === undefined) throw new Error(`There is no script for "${words}"`)
  const [, , ...given] = script.split(' ')
  return runBuilt([...given, ...flags.split(' ').filter(Boolean)], repository)
}

/** Whether a command leads to the program as it was built here, and not to an installed one. */
export async function isBuilt(program: string): Promise<boolean> {
  return (await realpath(program)) === resolve('dist/bundle/bin.cjs')
}

/** In a process that has run others: pages start it fifty times. */
async function runBuilt(args: readonly string[], folder: string): Promise<Running> {
  const commands = borrowCommands()
  const { url } = await commands.serve([...args, '--port', '0'], folder)
  return {
    port: Number(new URL(url).port),
    folder,
    async stop() {
      await commands.stop()
      returnCommands(commands)
    },
  }
}

async function runProgram(program: string, args: readonly string[], folder: string): Promise<Running> {
  if (await isBuilt(program)) return runBuilt(args, folder)
  const server = launch([...args, '--port', '0'], { cwd: folder, program })
  const port = Number(new URL(await server.url()).port)
  return {
    port,
    folder,
    stop() {
      server.child.kill()
      return server.ended
    },
  }
}

/** A program of the page; it names its port itself. */
async function runFile(file: string, folder: string): Promise<Running> {
  const port = await freePort()
  const program = await readFile(join(folder, file), 'utf8')
  await writeFile(join(folder, file), program.replace('3000', String(port)))
  return untilUp([file], folder, port)
}

async function runVite(folder: string): Promise<Running> {
  const port = await freePort()
  return untilUp(
    [join(folder, 'node_modules/vite/bin/vite.js'), '--port', `${port}`, '--strictPort'],
    folder,
    port,
  )
}

async function untilUp(args: readonly string[], folder: string, port: number): Promise<Running> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
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
  return { port, folder, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

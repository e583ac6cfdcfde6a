import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dataFile } from './data.ts'

/** Everything that is measured. */
export type ServerName = 'restable' | 'restable with its log' | 'json-server' | 'bare'

/** A server in a separate process. */
export interface RunningServer {
  readonly name: ServerName
  readonly port: number
  readonly pid: number | undefined
  /** From the start of the process to its first response. */
  readonly readyAfterMs: number
}

/** Ours, and the one it is compared with. */
export interface Pair {
  readonly ours: RunningServer
  readonly rival: RunningServer
}

export type Servers = Awaited<ReturnType<typeof openServers>>
type Use<Given, T> = (given: Given) => Promise<T>

const STARTS_WITHIN_MS = 60_000
const ASK_EVERY_MS = 5

/**
 * For requests that are not timed: each gets a new connection. A keep-alive connection may be closed as idle just when
 * it is reused, after the server was blocked for seconds.
 */
export const UNSHARED = { connection: 'close' }

/** Servers with default settings, each on its own copy of the data, in a temporary folder. */
export async function openServers(signal?: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'restable-bench-'))
  const generated = new Set<string>()
  return { one, two, close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }

  /** Starts a server, passes it on once it responds, and ends it. */
  async function one<T>(name: ServerName, rows: number, use: Use<RunningServer, T>): Promise<T> {
    return await run(name, await copyFor(name, rows), use)
  }

  /** The same with two. The bare server sends our responses. */
  async function two<T>(names: Record<keyof Pair, ServerName>, rows: number, use: Use<Pair, T>): Promise<T> {
    return await one(names.ours, rows, async (ours) => {
      const isBare = names.rival === 'bare'
      const source = isBare ? `http://localhost:${ours.port}` : await copyFor(names.rival, rows)
      return await run(names.rival, source, (rival) => use({ ours, rival }))
    })
  }

  async function copyFor(name: ServerName, rows: number): Promise<string> {
    const original = join(folder, `${rows}.json`)
    if (!generated.has(original)) await writeFile(original, dataFile(rows), { signal })
    generated.add(original)
    const copy = join(folder, `copy-${name}.json`)
    await copyFile(original, copy)
    return copy
  }

  async function run<T>(name: ServerName, source: string, use: Use<RunningServer, T>): Promise<T> {
    signal?.throwIfAborted()
    const port = await freePort()
    const started = performance.now()
    // Variables set by a test runner or npm must not affect the measurement.
    const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...env } = process.env
    const child = spawn(process.execPath, commandOf(name, source, port), {
      // Outside the project, whose config file would change the settings.
      cwd: folder,
      env,
      // The log is still written, but to where neither disk nor terminal slows it down.
      stdio: ['ignore', 'ignore', 'pipe'],
      // An abort kills the process immediately, and pending requests fail.
      signal,
      killSignal: 'SIGKILL',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let complaint = ''
    child.stderr.on('data', (text) => {
      complaint += text
    })
    child.on('error', () => {})
    try {
      while (!(await isAnswering(port))) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null
        if (hasEnded || performance.now() - started > STARTS_WITHIN_MS)
          throw new Error(`${name} did not start: ${complaint.trim() || 'it said nothing'}`)
        await wait(ASK_EVERY_MS)
      }
      return await use({ name, port, pid: child.pid, readyAfterMs: performance.now() - started })
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  }
}

/** Node's arguments for a server. */
export function commandOf(name: ServerName, source: string, port: number): readonly string[] {
  const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
  if (name === 'bare')
    return ['--import', import.meta.resolve('tsx'), pathOf('./bare-server.ts'), source, String(port)]
  const bin = name === 'json-server' ? '../../node_modules/json-server/lib/cli/bin.js' : '../../dist/bin.js'
  const quiet = name === 'restable with its log' ? [] : ['--quiet']
  return [pathOf(bin), source, '--port', String(port), '--foreignKeySuffix', '_id', ...quiet]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

async function isAnswering(port: number): Promise<boolean> {
  const asked = fetch(`http://localhost:${port}/products/1`, { headers: UNSHARED })
  const answer = await asked.catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

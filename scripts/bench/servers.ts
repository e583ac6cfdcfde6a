import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Ours, which tells of each request or does not. */
export type OwnName = 'restable' | 'restable with its log'

/** Everything that is measured. */
export type ServerName = OwnName | 'json-server' | 'bare'

/** A server in a process of its own. */
export interface RunningServer {
  readonly name: ServerName
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly readyAfterMs: number
  stop(): Promise<void>
}

const STARTS_WITHIN_MS = 60_000
const STOPS_WITHIN_MS = 5_000
const ASK_EVERY_MS = 5

/**
 * For questions that are not timed: each has a connection of its own. One that is kept may be cut off as idle
 * just when it is used again, after a server stood still for seconds.
 */
export const UNSHARED = { connection: 'close' }

/** Starts a server on a file of its own, with default settings, and waits until it answers. */
export async function startServer(
  name: ServerName,
  file: string,
  signal?: AbortSignal,
): Promise<RunningServer> {
  signal?.throwIfAborted()
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, commandOf(name, file, port), {
    // Away from the project, whose config file is not the default settings.
    cwd: dirname(file),
    env: plainEnvironment(),
    // A log is written all the same, to where neither a disk nor a terminal slows it down.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2000)
  })
  // An abort ends the process at once; what was asked of it then fails, and the caller clears up.
  const end = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', end)
  try {
    await untilAnswering(child, port, () => `${name} did not start: ${complaint.trim() || 'it said nothing'}`)
  } catch (error) {
    await stop(child)
    throw error
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} has no process`)
  return {
    name,
    port,
    pid,
    readyAfterMs: performance.now() - started,
    stop: async () => {
      signal?.removeEventListener('abort', end)
      await stop(child)
    },
  }
}

/** What Node is to run for a server. */
export function commandOf(name: ServerName, file: string, port: number): readonly string[] {
  const shared = [file, '--port', String(port), '--foreignKeySuffix', '_id']
  switch (name) {
    case 'restable':
      return [pathOf('../../dist/bin.js'), ...shared, '--quiet']
    case 'restable with its log':
      return [pathOf('../../dist/bin.js'), ...shared]
    case 'json-server':
      return [pathOf('../../node_modules/json-server/lib/cli/bin.js'), ...shared, '--quiet']
    case 'bare':
      return ['--import', import.meta.resolve('tsx'), pathOf('./bare-server.ts'), file, String(port)]
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** What a test runner or npm sets must not change what is measured. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...rest } = process.env
  return rest
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

async function untilAnswering(child: ChildProcess, port: number, complaint: () => string): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS
  while (performance.now() < deadline) {
    if (hasEnded(child)) break
    const answer = await fetch(`http://localhost:${port}/products/1`, { headers: UNSHARED }).catch(
      () => undefined,
    )
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await wait(ASK_EVERY_MS)
  }
  throw new Error(complaint())
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS)
  await ended
  clearTimeout(timer)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import memoize from 'lodash/memoize.js'
import { freePort } from '../../test/support/child/free-port.ts'
import { dataFile } from './data.ts'
import { openDatabase } from './database.ts'

/** Everything that is measured. */
export type ServerName =
  | 'restable'
  | 'restable with its log'
  | 'restable without faults'
  | 'restable with a shape'
  | 'restable with owners'
  | 'restable on NDJSON'
  | 'json-server'
  | 'json-server 1.0'
  | 'bare'
  | 'PostgreSQL'
  | 'two on PostgreSQL'

/** A server in a separate process. */
export interface RunningServer {
  readonly name: ServerName
  readonly port: number
  /** Of another instance with the same data. */
  readonly others?: readonly number[]
  readonly pid: number | undefined
  /** From the start of the process to its first response. */
  readonly readyAfterMs: number
}

/** Ours, and the one it is compared with. */
export type Pair<T = RunningServer> = Readonly<Record<'ours' | 'rival', T>>
export type Servers = Awaited<ReturnType<typeof openServers>>
type Use<Given, T> = (given: Given) => Promise<T>

/** The newest beta, which needs a Node of its own. */
const NEWER = ['json-server@1.0.0-beta.15', 'node@22']

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
  const generated = memoize(async (rows: number): Promise<string> => {
    const file = join(folder, `${rows}.json`)
    await writeFile(file, dataFile(rows), { signal })
    return file
  })
  const newer = memoize(() => installNewer(join(folder, 'newer')))
  const database = openDatabase()
  /** The rival of two instances has data of its own. */
  const imported = memoize(
    async (name: ServerName, rows: number) => database.imported(await generated(rows), schemaOf(name, rows)),
    schemaOf,
  )
  return { one, two, settled: () => database.settled(), close }

  async function close(): Promise<void> {
    database.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Starts a server, passes it on once it responds, and ends it. */
  async function one<T>(name: ServerName, rows: number, use: Use<RunningServer, T>): Promise<T> {
    if (name === 'PostgreSQL') return await run(name, await imported(name, rows), use)
    if (name === 'two on PostgreSQL') {
      const address = await imported(name, rows)
      return await run(name, address, (first) =>
        run(name, address, ({ port }) => use({ ...first, others: [port] })),
      )
    }
    if (name === 'restable on NDJSON')
      return await run(name, await asLines(await generated(rows), folder), use)
    const copy = join(folder, `copy-${name}.json`)
    if (name === 'restable with owners') await copyWithUsers(await generated(rows), copy)
    else await copyFile(await generated(rows), copy)
    return await run(name, copy, use)
  }

  /** The same with two. The bare server sends our responses. */
  function two<T>(names: Pair<ServerName>, rows: number, use: Use<Pair, T>): Promise<T> {
    return one(names.ours, rows, (ours) => {
      const beside = (rival: RunningServer): Promise<T> => use({ ours, rival })
      if (names.rival === 'bare') return run('bare', `http://localhost:${ours.port}`, beside)
      return one(names.rival, rows, beside)
    })
  }

  async function run<T>(name: ServerName, source: string, use: Use<RunningServer, T>): Promise<T> {
    signal?.throwIfAborted()
    const port = await freePort()
    const [program, ...args] =
      name === 'json-server 1.0'
        ? [...(await newer()), source, '--port', String(port)]
        : [process.execPath, ...commandOf(name, source, port)]
    const started = performance.now()
    // Variables set by a test runner or npm must not affect the measurement.
    const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...env } = process.env
    // Outside the project, whose config file would change the settings. The log is still written, but to where neither
    // disk nor terminal slows it down. An abort kills the process immediately, and pending requests fail.
    const child = spawn(program, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let complaint = ''
    child
      .on('error', () => {})
      .stderr.on('data', (text) => {
        complaint += text
      })
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
function commandOf(name: ServerName, source: string, port: number): readonly string[] {
  const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
  if (name === 'bare')
    return ['--import', import.meta.resolve('tsx'), pathOf('./bare-server.ts'), source, String(port)]
  const bin =
    name === 'json-server' ? '../../node_modules/json-server/lib/cli/bin.js' : '../../dist/bundle/bin.cjs'
  const quiet = name === 'restable with its log' ? [] : ['--quiet']
  const faults = name === 'restable without faults' ? ['--no-faults'] : []
  const shape = name === 'restable with a shape' ? ['--shape', 'jsonapi'] : []
  const owners = name === 'restable with owners' ? ['--config', pathOf('./owners.config.json')] : []
  return [
    ...[pathOf(bin), source, '--port', String(port), '--foreignKeySuffix', '_id'],
    ...[...quiet, ...faults, ...shape, ...owners],
  ]
}

/** Node and the program of json-server 1.0, from the registry. */
async function installNewer(folder: string): Promise<readonly [node: string, program: string]> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await promisify(execFile)('npm', ['install', ...NEWER, '--no-audit', '--no-fund'], { cwd: folder })
  return [join(folder, 'node_modules/node/bin/node'), join(folder, 'node_modules/json-server/lib/bin.js')]
}

function schemaOf(name: ServerName, rows: number): string {
  return `${name === 'PostgreSQL' ? 'one' : 'two'}_${rows}`
}

/** The same data, with companies that can act as users. */
async function copyWithUsers(file: string, copy: string): Promise<void> {
  const data: { companies: { id: number }[] } = JSON.parse(await readFile(file, 'utf8'))
  const companies = data.companies.map((company) => ({ ...company, username: userOf(company.id) }))
  await writeFile(copy, JSON.stringify({ ...data, companies }))
}

/** The products of the same data, a line each. Returns the path of the file. */
async function asLines(file: string, folder: string): Promise<string> {
  const { products }: { products: object[] } = JSON.parse(await readFile(file, 'utf8'))
  const lines = join(folder, 'products.ndjson')
  await writeFile(lines, products.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return lines
}

/** What a company is called as a user. */
export function userOf(company: number): string {
  return `company-${company}`
}

async function isAnswering(port: number): Promise<boolean> {
  const asked = fetch(`http://localhost:${port}/products/1`, { headers: UNSHARED })
  const answer = await asked.catch(() => undefined)
  await answer?.arrayBuffer()
  // Where products have owners, they are not for everybody.
  return answer?.status === 200 || answer?.status === 401
}

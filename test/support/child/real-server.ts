import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTime } from '../../../src/core/kernel/util/in-time.ts'
import { type Answer, type Ask, exchange, PATIENCE_MS } from '../http/exchange.ts'
import { endLaunched, type Launched, launch } from './launch.ts'

export interface RealServerOptions {
  /** Flags of the command line. */
  readonly args?: readonly string[]
  /** What the config file holds. */
  readonly config?: object
  readonly env?: Readonly<Record<string, string>>
  /** What it serves, by its name in the folder. @default 'db.json' */
  readonly source?: string
}

/** The built program serving a file, as a separate process. */
export interface RealServer {
  readonly process: Launched
  readonly port: number
  ask(method: string, path: string, body?: unknown, headers?: Ask['headers']): Promise<Answer>
  /** What it has in memory. */
  served(): Promise<Data>
  /** Sends a signal; resolves with the exit code once it has ended. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

export type Data = Record<string, unknown>

const started: Launched[] = []

/** Serves `db.json`, or another source, of a folder. */
export async function serveHome(home: string, options: RealServerOptions = {}): Promise<RealServer> {
  const { args = [], config, env = {}, source = 'db.json' } = options
  if (config) await writeFile(join(home, 'json-server.config.json'), JSON.stringify(config))
  const process = launch([source, '--port', '0', ...args], { cwd: home, env })
  started.push(process)
  const port = Number(new URL(await process.url()).port)
  const ask: RealServer['ask'] = (method, path, body, headers) =>
    exchange(port, {
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    process,
    port,
    ask,
    served: async () => JSON.parse((await ask('GET', '/db')).body),
    stop(signal) {
      process.child.kill(signal)
      const late = () => new Error(`${signal} did not end it: ${process.stdout()}${process.stderr()}`)
      return inTime(process.ended, PATIENCE_MS, late)
    },
  }
}

/** What the data file holds; throws unless it is JSON. */
export async function saved(home: string, name = 'db.json'): Promise<Data> {
  return JSON.parse((await readFile(join(home, name), 'utf8')).replace(/^\uFEFF/, ''))
}

/** Ends what a test started, by its process. */
export async function endRealServers(): Promise<void> {
  endLaunched()
  await Promise.all(started.splice(0).map(({ ended }) => ended))
}

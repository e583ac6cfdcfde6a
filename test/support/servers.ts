import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as restable from '../../src/index.ts'

export type Mode = 'memory' | 'file'

export type Data = Record<string, unknown>

/** How both servers of a pair are set up. What is left out is each one's own default. */
export interface Setup {
  readonly id?: string
  readonly foreignKeySuffix?: string
  readonly rules?: Readonly<Record<string, string>>
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** One listening server with data of its own. */
export interface Served {
  readonly port: number
  /** What is kept: the text of the data file, or of the object that was handed over. */
  stored(): Promise<string>
}

export interface Pair {
  readonly oracle: Served
  readonly ours: Served
  close(): Promise<void>
}

interface App {
  listen(port: number, host: string): Server
}

/** The part of json-server 0.17.4 that is asked here; it has no types of its own. */
interface JsonServer {
  create(): App & { use(...handlers: unknown[]): void }
  defaults(options: object): unknown[]
  router(source: string | Data, options?: object): { db: { _: { id?: string } } }
  rewriter(rules: object): unknown
}

const jsonServer: JsonServer = createRequire(import.meta.url)('json-server')

/** Starts json-server 0.17.4 and restable side by side, each with its own copy of the same data. */
export async function startPair(data: Data, mode: Mode, setup: Setup = {}): Promise<Pair> {
  const folder = mode === 'file' ? await mkdtemp(join(tmpdir(), 'restable-contract-')) : undefined
  const oracle = await serve(oracleApp, await sourceFor(data, folder, 'oracle.json'), setup)
  const ours = await serve(ourApp, await sourceFor(data, folder, 'ours.json'), setup)
  return {
    oracle,
    ours,
    close: async () => {
      await Promise.all([oracle.close(), ours.close()])
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

type AppMaker = (source: string | Data, setup: Setup) => App

function oracleApp(source: string | Data, setup: Setup): App {
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ logger: false, ...setup.defaults }))
  if (setup.rules !== undefined) app.use(jsonServer.rewriter(setup.rules))
  const { foreignKeySuffix } = setup
  const router = jsonServer.router(source, foreignKeySuffix === undefined ? {} : { foreignKeySuffix })
  if (setup.id !== undefined) router.db._.id = setup.id
  app.use(router)
  return app
}

function ourApp(source: string | Data, setup: Setup): App {
  const app = restable.create()
  app.use(restable.defaults({ logger: false, ...setup.defaults }))
  if (setup.rules !== undefined) app.use(restable.rewriter(setup.rules))
  const { id, foreignKeySuffix } = setup
  app.use(
    restable.router(source, {
      ...(id === undefined ? {} : { id }),
      ...(foreignKeySuffix === undefined ? {} : { foreignKeySuffix }),
    }),
  )
  return app
}

async function sourceFor(data: Data, folder: string | undefined, name: string): Promise<string | Data> {
  if (folder === undefined) return structuredClone(data)
  const file = join(folder, name)
  await writeFile(file, JSON.stringify(data, null, 2))
  return file
}

async function serve(makeApp: AppMaker, source: string | Data, setup: Setup) {
  const server = makeApp(source, setup).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    stored: async () =>
      typeof source === 'string' ? await readFile(source, 'utf8') : JSON.stringify(source, null, 2),
    close: () => closeNow(server),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  return address.port
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

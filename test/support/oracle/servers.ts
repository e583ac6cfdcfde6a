import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Express } from 'express'
import * as restable from '../../../src/index.ts'
import { folderOf } from '../folder.ts'

export type Mode = 'memory' | 'file'

export type Data = Record<string, unknown>

/** The setup of both servers of a pair. Defaults to each server's own. */
export interface Setup {
  readonly id?: string
  readonly foreignKeySuffix?: string
  readonly rules?: Readonly<Record<string, string>>
  readonly defaults?: object
  /** For ours only: the other one always cascades, in its own way. */
  readonly cascade?: boolean
  /** Where the router is mounted. */
  readonly mount?: string
  /** What a user's program does with app and router before it listens. */
  readonly program?: (app: Express, router: restable.RestRouter, module: Module) => void
}

/** A listening server with its own data. */
export interface Served {
  readonly port: number
  /** The data file, if there is one. */
  readonly file: string | undefined
  /** What is stored: the text of the data file, or the object as JSON. */
  stored(): Promise<string>
}

export interface Pair {
  readonly oracle: Served
  readonly ours: Served
  close(): Promise<void>
}

/** json-server 0.17.4's module, which has the same exports as ours. It has no types, so ours serve for both. */
type Module = Pick<typeof restable, 'create' | 'defaults' | 'router' | 'rewriter' | 'bodyParser'>

const jsonServer: Module = createRequire(import.meta.url)('json-server')

/** Starts json-server 0.17.4 and restable side by side, each with its own copy of the same data. */
export async function startPair(data: Data, mode: Mode, setup: Setup = {}): Promise<Pair> {
  const folder = mode === 'file' ? folderOf() : undefined
  const oracle = await serve(jsonServer, await sourceFor(data, folder, 'oracle.json'), setup)
  const ours = await serve(restable, await sourceFor(data, folder, 'ours.json'), setup)
  return {
    oracle,
    ours,
    close: async () => {
      await Promise.all([oracle.close(), ours.close()])
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function makeApp(module: Module, source: string | Data, setup: Setup): Express {
  const app = module.create()
  app.use(module.defaults({ logger: false, ...setup.defaults }))
  if (setup.rules !== undefined) app.use(module.rewriter(setup.rules))
  const { id, foreignKeySuffix, cascade = false, mount = '/' } = setup
  const options = {
    ...(id === undefined || module === jsonServer ? {} : { id }),
    ...(foreignKeySuffix === undefined ? {} : { foreignKeySuffix }),
    cascade,
  }
  const router = module.router(source, options)
  if (id !== undefined && module === jsonServer) router.db._.id = id
  setup.program?.(app, router, module)
  app.use(mount, router)
  return app
}

async function sourceFor(data: Data, folder: string | undefined, name: string): Promise<string | Data> {
  if (folder === undefined) return structuredClone(data)
  const file = join(folder, name)
  await writeFile(file, JSON.stringify(data, null, 2))
  return file
}

async function serve(module: Module, source: string | Data, setup: Setup) {
  const server = makeApp(module, source, setup).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    file: typeof source === 'string' ? source : undefined,
    stored: async () => {
      if (typeof source === 'string') return await readFile(source, 'utf8')
      return JSON.stringify(source, null, 2)
    },
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

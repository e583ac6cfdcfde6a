import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endWithProcess } from './end-with-process.ts'
import { findPrograms, startCluster } from './run-cluster.ts'

/** The variable by which test files learn where the cluster of this run is, or would be. */
export const FOLDER = 'RESTABLE_TEST_POSTGRES'

const PATIENCE_MS = 25_000

/** Whether this machine has a PostgreSQL. Where it has none, the tests that need one are skipped, and say so. */
export const hasPostgres = findPrograms() !== undefined

export const SKIPPED = 'skipped: no PostgreSQL on this machine (apt-get install postgresql)'

let started: Promise<string> | undefined

/** The address of a schema of its own, which does not exist yet, in the cluster of this run. */
export async function freshAddress(): Promise<string> {
  return addressIn(await clusterFolder(), `t_${randomBytes(6).toString('hex')}`)
}

/** Where the socket of the cluster of this run is, which is started if need be. */
export function clusterFolder(): Promise<string> {
  started ??= useCluster()
  return started
}

/** Runs statements in the database of an address, and returns the rows of the last one. */
export async function runIn(address: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client(address.replace(/&schema=.*/, ''))
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** A place for another cluster, beside that of this run. Both end with this process. */
export function folderForCluster(): string {
  const folder = mkdtempSync(join(dirname(process.env[FOLDER] ?? ''), 'pgf-'))
  endWithProcess(folder)
  return folder
}

export function addressIn(folder: string, schema: string): string {
  return `postgres://postgres@localhost/postgres?host=${folder}&schema=${schema}`
}

/** Test files run in processes of their own: one starts the cluster, the others wait for it. */
async function useCluster(): Promise<string> {
  const folder = process.env[FOLDER]
  const programs = findPrograms()
  if (folder === undefined || programs === undefined) throw new Error(SKIPPED)
  const ready = join(folder, 'ready')
  if (isFirst(folder)) {
    startCluster(folder, programs)
    writeFileSync(ready, '')
  }
  const end = Date.now() + PATIENCE_MS
  while (!existsSync(ready)) {
    if (Date.now() > end) throw new Error(`The cluster did not start: see ${join(folder, 'log')}.`)
    await sleep(50)
  }
  return folder
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'starting'))
    return true
  } catch {
    return false
  }
}

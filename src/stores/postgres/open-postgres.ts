import { getHeapStatistics } from 'node:v8'
import type { Database } from '../../core/engine/data/database.ts'
import type { Store, StoredHistory } from '../../core/engine/data/store.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { type Address, readAddress } from './address.ts'
import { readHistory, readState } from './commit-log.ts'
import { Connections } from './connections.ts'
import { explainFailure } from './failures.ts'
import { StoredImages } from './images.ts'
import { ensureSchema, type SchemaOptions } from './open-schema.ts'
import { PostgresStore } from './postgres-store.ts'
import { CURRENT, measureContent, ORIGIN, readContent } from './read-content.ts'
import { Shared } from './shared.ts'

export interface PostgresOptions extends SchemaOptions {
  /** How long the database may be silent before it counts as gone, in milliseconds. @default 3000 */
  readonly patienceMs?: number | undefined
}

export interface OpenedPostgres {
  readonly store: Store
  readonly database: Database
  readonly past: StoredHistory
  /** The content that a reset goes back to: the last one from outside. */
  origin(): Promise<Database>
  readonly shared: Shared
  readonly connections: Connections
  readonly images: StoredImages
}

/** Opens the data in a schema, which is created and filled if it does not exist. */
export async function openPostgres(
  source: string | Address,
  { patienceMs, ...wanted }: PostgresOptions,
): Promise<OpenedPostgres> {
  const address = typeof source === 'string' ? readAddress(source) : source
  const connections = await Connections.to(address, patienceMs)
  let store: PostgresStore | undefined
  try {
    // What it is filled with may take this process long to compute.
    await Connections.use(address, undefined, (patient) => ensureSchema(patient, wanted))
    await connections.open()
    const { version, secret, past, database } = await connections.inSnapshot('read', async (sql) => {
      checkMemory(await measureContent(sql, CURRENT))
      const { version, secret, ...start } = await readState(sql)
      const past = { ...start, commits: await readHistory(sql) }
      return { version, secret, past, database: await readContent(sql, CURRENT) }
    })
    const shared = new Shared(connections, secret)
    store = new PostgresStore({ connections, version, shared })
    await store.start()
    const origin = () => connections.inSnapshot('copy', (sql) => readContent(sql, ORIGIN))
    return { store, database, past, origin, shared, connections, images: new StoredImages(connections) }
  } catch (error) {
    await (store ?? connections).close().catch(() => {})
    throw explainFailure(error, address)
  }
}

/** In memory, rounded up from measurements. */
const BYTES_PER_ROW = 150
const BYTES_PER_CHARACTER = 2

/** Refuses data that does not fit: every server holds all rows in memory. */
export function checkMemory(
  { rows, bytes }: { readonly rows: number; readonly bytes: number },
  { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics(),
): void {
  const needed = rows * BYTES_PER_ROW + bytes * BYTES_PER_CHARACTER
  if (used + needed <= limit) return
  const mb = (size: number) => `${Math.ceil(size / 1024 / 1024).toLocaleString('en')} MB`
  const fault = `the ${rows.toLocaleString('en')} rows need about ${mb(needed)} of memory, and this process may use ${mb(limit)}`
  const option = `--max-old-space-size=${Math.ceil((used + 1.5 * needed) / 1024 / 1024)}`
  throw new ConfigError(`source: ${fault}. Allow more, with NODE_OPTIONS=${option}, or serve fewer rows.`)
}

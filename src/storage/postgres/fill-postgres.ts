import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../errors.ts'
import type { Incoming } from '../json/incoming.ts'
import type { Address } from './link/address.ts'
import type { Connections } from './link/connections.ts'
import { explainFailure } from './link/explain-failure.ts'
import type { Sql } from './link/sql.ts'
import { logCommits } from './log/commit-log.ts'
import { Ledger } from './log/ledger.ts'
import { makeSchema } from './open-postgres.ts'
import { finish } from './settle.ts'
import { copyContent, type OnRows, removeContent, replaceContent } from './tables/contents.ts'
import { readParts } from './tables/read-content.ts'
import { CURRENT, ORIGIN, Tables } from './tables/tables.ts'
import { withConnections } from './with-connections.ts'

export interface FillOptions {
  /** Whether what is there may be replaced. */
  readonly replace: boolean
  readonly onRows?: OnRows | undefined
  /** Ends it: nothing is changed then, unless everything was already done. */
  readonly signal?: AbortSignal | undefined
}

/** Puts data from outside, however much, into a schema: all of it or, if anything fails, nothing. */
export async function fillPostgres(address: Address, data: Incoming, options: FillOptions): Promise<void> {
  const { replace, onRows, signal } = options
  await withConnections(address, signal, async (connections) => {
    const tables = new Tables(address.schema)
    let isNew = false
    const sample = () => {
      isNew = true
      return data
    }
    await makeSchema(connections, tables, { sample, onRows }).catch((error: unknown) => {
      throw explainFailure(error, address)
    })
    if (!isNew && !replace) {
      throw new ConfigError(
        `import: the schema ${address.schema} has data already. Add --replace to replace all of it, or name another with --schema.`,
      )
    }
    if (!isNew) {
      await connections.inTransaction('write', (sql) => replaceAll(sql, connections, tables, data, onRows))
    }
    // It is in already. Should this fail, the database does it by itself later.
    await connections.askOnce('copy', `VACUUM (ANALYZE) ${tables.rows}`).catch(() => {})
  })
}

async function replaceAll(
  sql: Sql,
  connections: Connections,
  tables: Tables,
  data: Incoming,
  onRows: OnRows | undefined,
): Promise<void> {
  await sql.query(`SELECT 1 FROM ${tables.state} FOR UPDATE`)
  const ledger = await Ledger.read(sql, tables)
  const before = (await readParts(sql, tables, CURRENT)).map(({ name }) => name)
  const after = await replaceContent(sql, tables, data, onRows)
  removeContent(sql, tables, ORIGIN)
  copyContent(sql, tables, CURRENT, ORIGIN)
  await sql.flush()
  const version = ledger.version + 1
  const names = [...new Set([...before, ...after])].filter((name) => name !== '$schema')
  const commit = { version, time: Date.now(), names, effects: undefined, bytes: 0, top: version, meta: {} }
  const token = randomBytes(12).toString('base64url')
  await logCommits(sql, tables, ledger, [{ ...commit, isOutside: true }], { token, sender: 'import' })
  await finish(sql, async () => {
    const text = `SELECT 1 FROM ${tables.commits} WHERE version = $1 AND token = $2`
    return (await connections.ask('read', text, [version, token])).length > 0
  })
}

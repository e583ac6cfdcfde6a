import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Incoming } from '../json/incoming.ts'
import type { Address } from './address.ts'
import { logCommits } from './commit-log.ts'
import { Connections } from './connections.ts'
import { copyCurrent, type OnRows, removeContent, replaceContent } from './contents.ts'
import { explainFailure } from './explain-failure.ts'
import { CURRENT, ORIGIN } from './layout.ts'
import { Ledger } from './ledger.ts'
import { makeSchema } from './open-postgres.ts'
import { readParts } from './read-content.ts'
import type { Transaction } from './transaction.ts'

export interface FillOptions {
  readonly replace: boolean
  readonly onRows?: OnRows | undefined
  /** Ends it: nothing is changed then, unless everything was already done. */
  readonly signal?: AbortSignal | undefined
}

/** Puts data from outside, however much, into a schema: all of it or, if anything fails, nothing. */
export async function fillPostgres(address: Address, data: Incoming, options: FillOptions): Promise<void> {
  const { replace, onRows, signal } = options
  await Connections.use(address, signal, async (connections) => {
    let isNew = false
    const sample = () => {
      isNew = true
      return data
    }
    await makeSchema(connections, { sample, onRows }).catch((error: unknown) => {
      throw explainFailure(error, address)
    })
    if (!isNew && !replace) {
      const remedy = 'Add --replace to replace all of it, or name another with --schema.'
      throw new ConfigError(`import: the schema ${address.schema} has data already. ${remedy}`)
    }
    if (!isNew) await connections.inTransaction('write', (sql) => replaceAll(sql, connections, data, onRows))
    // It is in already. Should this fail, the database does it by itself later.
    await connections.askOnce('copy', 'VACUUM (ANALYZE) rows').catch(() => {})
  })
}

async function replaceAll(
  sql: Transaction,
  connections: Connections,
  data: Incoming,
  onRows: OnRows | undefined,
): Promise<void> {
  await sql.query('SELECT 1 FROM state FOR UPDATE')
  const ledger = await Ledger.read(sql)
  const before = (await readParts(sql, CURRENT)).map(({ name }) => name)
  const after = await replaceContent(sql, data, onRows)
  removeContent(sql, ORIGIN)
  copyCurrent(sql, ORIGIN)
  await sql.flush()
  const version = ledger.version + 1
  const names = [...new Set([...before, ...after])].filter((name) => name !== '$schema')
  const commit = { version, time: Date.now(), names, effects: undefined, bytes: 0, top: version, meta: {} }
  const token = randomBytes(12).toString('base64url')
  await logCommits(sql, ledger, [{ ...commit, isOutside: true }], { token, sender: 'import' })
  await sql.commit(async () => {
    const text = 'SELECT 1 FROM commits WHERE version = $1 AND token = $2'
    return (await connections.ask('read', text, [version, token])).length > 0
  })
}

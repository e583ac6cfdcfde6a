import { ConfigError } from '../../errors.ts'
import { CatalogueReader } from './layout/catalog.ts'
import { Tables } from './layout/tables.ts'
import type { Address } from './link/address.ts'
import { Connections } from './link/connections.ts'
import { explainFailure } from './link/explain-failure.ts'
import { loadPg } from './link/load-pg.ts'
import { isGone } from './link/unavailable.ts'
import { openSchema } from './open-schema.ts'
import { type WrittenOut, writeOut } from './view/write-out.ts'

/** How often it is begun again because everything was replaced meanwhile. */
const MOST_TRIES = 5

/**
 * Hands out everything in a schema as JSON, as of one moment, however much it is. Hidden fields are in it, too.
 * @param idName the primary key, which has to be the one that the rows were stored with
 */
export async function writeOutPostgres<T>(
  address: Address,
  idName: string,
  use: (written: WrittenOut) => Promise<T>,
): Promise<T> {
  const connections = new Connections(await loadPg(), address)
  const tables = new Tables(address.schema)
  const sample = () => {
    throw new ConfigError(`export: the schema ${address.schema} has no data. Name another with --schema.`)
  }
  try {
    await connections.inTransaction((sql) => openSchema(sql, tables, { idName, sample }))
    for (let tries = 1; ; tries++) {
      try {
        return await connections.inSnapshot(async (sql) => {
          // A pager, for one, takes what it shows when it pleases.
          sql.send('SET LOCAL idle_in_transaction_session_timeout = 0')
          return writeOut(sql, tables, await new CatalogueReader(tables).read(sql), use)
        })
      } catch (error) {
        if (!isGone(error) || tries === MOST_TRIES) throw error
      }
    }
  } catch (error) {
    throw explainFailure(error, address)
  } finally {
    await connections.close()
  }
}

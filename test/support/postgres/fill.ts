import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data, Naming } from '../../../src/core/engine/types.ts'
import { readAddress } from '../../../src/stores/postgres/address.ts'
import { openPostgres } from '../../../src/stores/postgres/open-postgres.ts'
import { importToPostgres } from '../../../src/stores/postgres/transfer.ts'
import { freshAddress } from './cluster.ts'

/** The address of a schema of its own that has this data. */
export async function filledAddress(data: Data): Promise<string> {
  const address = await freshAddress()
  await importToPostgres(readAddress(address), data, { replace: false })
  return address
}

/** An engine whose data is in a database, and what comes with it. Close it. */
export async function openEngine(address: string, data: Data = {}, naming: Partial<Naming> = {}) {
  const { database, shared, images, ...stored } = await openPostgres(address, { sample: () => data })
  return {
    engine: new Engine(database, { id: 'id', foreignKeySuffix: 'Id', ...naming, ...stored }),
    shared,
    images,
  }
}

import { describe } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres-engine.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { describeEngine } from '../engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describe.skipIf(!hasPostgres)(`on PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  describeEngine('a database', {
    isCurrentKnown: true,
    async open(data) {
      const address = await freshAddress()
      return { engine: await openPostgres(address, { ...naming, sample: () => data }) }
    },
  })
})

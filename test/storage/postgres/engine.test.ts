import { afterAll, describe } from 'vitest'
import { hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { closeLent, lendEngine } from '../../support/postgres/lent-engines.ts'
import { describeEngine } from '../engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

afterAll(closeLent)

describe.skipIf(!hasPostgres)(`on PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  describeEngine('a database', {
    isCurrentKnown: true,
    async open(data) {
      const { engine, giveBack } = await lendEngine(data, naming)
      return { engine, end: giveBack }
    },
  })
})

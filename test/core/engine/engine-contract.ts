import { describe } from 'vitest'
import { describeCommits } from './contract/commits.ts'
import { type EngineKind, engineUnderTest } from './contract/engine-under-test.ts'
import { describeHidden } from './contract/hidden.ts'
import { describeKeyed } from './contract/keyed.ts'
import { describeReadings } from './contract/readings.ts'
import { describeReads } from './contract/reads.ts'
import { describeRefusedWrites } from './contract/refused-writes.ts'
import { describeRules } from './contract/rules.ts'
import { describeTransactions } from './contract/transactions.ts'
import { describeViews } from './contract/views.ts'
import { describeWrites } from './contract/writes.ts'

/** What every engine has to do, whatever it is made of: one line in `engines.test.ts` runs it against another. */
export function describeEngine(name: string, kind: EngineKind): void {
  describe(`an engine: ${name}`, () => {
    const engine = engineUnderTest(kind)
    describeReads(engine)
    describeReadings(engine)
    describeWrites(engine)
    describeRefusedWrites(engine)
    describeCommits(engine)
    describeRules(engine)
    describeHidden(engine)
    describeKeyed(engine)
    describeViews(engine)
    describeTransactions(engine)
  })
}

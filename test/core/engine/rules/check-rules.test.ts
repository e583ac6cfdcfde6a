import { expect, it } from 'vitest'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import { Database } from '../../../../src/core/engine/data/database.ts'
import { checkRowRules } from '../../../../src/core/engine/rules/check-rules.ts'
import { CompiledRules } from '../../../../src/core/engine/rules/compiled-rules.ts'
import { RuleCheck } from '../../../../src/core/engine/rules/rule-check.ts'
import { pauseOften } from '../../../support/engine/pause-often.ts'

const ROWS = 500

it.each<[string, (n: number) => Record<string, unknown>]>([
  ['that keep what is unique', (n) => ({ id: n, name: 'same', up: 1 })],
  ['that change it', (n) => ({ id: n, name: `new ${n}`, up: null })],
])('between any two of the rows %s, others may have their turn', async (_, make) => {
  const draft = new Draft(Database.of({ a: [] }), { id: 'id', foreignKeySuffix: 'Id' })
  const rules = { unique: [['name']], references: { up: { resource: 'a', onDelete: 'restrict' as const } } }
  const ruling = new RuleCheck(
    new CompiledRules({ now: () => new Date(), resources: new Map([['a', rules]]) }),
    draft,
  )
  for (let n = 0; n < ROWS; n++) {
    ruling.addReplaced('a', { id: n, name: 'same', up: 1 }, make(n), { prefix: '' })
  }
  const turns = pauseOften()
  await checkRowRules(ruling)
  // Each of the two rules looks at every row.
  expect(turns()).toBeGreaterThanOrEqual(2 * ROWS)
})

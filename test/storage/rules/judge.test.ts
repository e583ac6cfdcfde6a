import { expect, it } from 'vitest'
import { Draft } from '../../../src/storage/draft/draft.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import { CompiledRules } from '../../../src/storage/rules/compiled-rules.ts'
import { judge } from '../../../src/storage/rules/judge.ts'
import { Ruling } from '../../../src/storage/rules/ruling.ts'

const ROWS = 20_000

it.each<[string, (n: number) => Record<string, unknown>]>([
  ['that keep what is unique', (n) => ({ id: n, name: 'same', up: 1 })],
  ['that change it', (n) => ({ id: n, name: `new ${n}`, up: null })],
])('many rows %s are judged in slices', (_, make) => {
  const engine = new LocalEngine({ a: [] }, { id: 'id', foreignKeySuffix: 'Id', isOwned: true })
  const rules = { unique: [['name']], references: { up: { resource: 'a', onDelete: 'restrict' as const } } }
  const ruling = new Ruling(new CompiledRules({ now: () => new Date(), resources: new Map([['a', rules]]) }))
  for (let n = 0; n < ROWS; n++) {
    ruling.journal.noteReplacement('a', { id: n, name: 'same', up: 1 }, make(n), { prefix: '' })
  }
  let turns = 0
  for (const _ of judge(new Draft(engine.local), ruling)) turns++
  // Each of the two rules looks at every row.
  expect(turns).toBeGreaterThanOrEqual(Math.floor((2 * ROWS) / 1000))
})

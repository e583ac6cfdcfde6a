import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/app/config/config.ts'
import { checkComputed } from '../../src/app/service/service-logic.ts'
import { parseLogic } from '../../src/logic/parse-logic.ts'
import { Engine } from '../../src/storage/engine/engine.ts'
import { cpuTime } from '../support/cpu-time.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

it('are compared with what is stored without copies of the rows, since others wait meanwhile', async () => {
  const computed = Object.fromEntries(NAMES.map((name) => [name, () => 1]))
  const logic = parseLogic({ posts: { computed } }, 'logic')
  const posts = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, title: `t${at}`, n: at, m: at }))
  const engine = new Engine({ posts }, { id: 'id', foreignKeySuffix: 'Id' })
  await engine.useRules({ now: () => new Date(), resources: new Map([['posts', { computed }]]) })
  const config = resolveConfig({ source: 'db.json' })
  const timeOf = (work: () => unknown) => {
    const start = cpuTime()
    work()
    return cpuTime() - start
  }
  const copied = () => NAMES.map(() => posts.map((row) => ({ ...row, [NAMES[0] ?? '']: 1 })))
  const ratios = Array.from(
    { length: 5 },
    () => timeOf(() => checkComputed(logic, engine, config)) / timeOf(copied),
  )
  expect(Math.min(...ratios)).toBeLessThan(1)
})

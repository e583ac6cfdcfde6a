import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { compareStep, nameOf, play } from '../support/oracle/contract.ts'
import { type Pair, startPair } from '../support/oracle/servers.ts'
import { hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { closeLent } from '../support/postgres/lent-engines.ts'
import { cases, readings } from './cases/index.ts'

vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()
afterAll(closeLent)

/** A program that takes the data itself, `router.db`, has none to take here. */
const isOverHttp = ({ setup }: { readonly setup?: { readonly program?: unknown } }) =>
  setup?.program === undefined

describe.skipIf(!hasPostgres)(`data kept in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const tables = readings.filter((table) => isOverHttp(table) && !table.isLong)
  describe.each(tables)('$title', ({ data, setup, steps }) => {
    let pair: Pair
    beforeAll(async () => {
      pair = await startPair(data, 'postgres', setup)
    })
    afterAll(() => pair.close())

    for (const step of steps) it.concurrent(nameOf(step), () => compareStep(pair, step))
  })

  for (const each of cases.filter(isOverHttp)) it(each.name, () => play(each, 'postgres'))
})

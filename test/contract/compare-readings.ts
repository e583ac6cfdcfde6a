import { afterAll, beforeAll, it } from 'vitest'
import { compareStep, nameOf } from '../support/oracle/contract.ts'
import { type Pair, startPair } from '../support/oracle/servers.ts'
import type { Readings } from './cases/table.ts'

/** Sends all requests of a table to one pair of servers. */
export function compareReadings({ data, setup, steps }: Readings): void {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair(data, 'memory', setup)
  })
  afterAll(() => pair.close())

  for (const step of steps) it.concurrent(nameOf(step), () => compareStep(pair, step))
}

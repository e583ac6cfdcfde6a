import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { compareStep, nameOf } from '../support/oracle/contract.ts'
import { type Pair, startPair } from '../support/oracle/servers.ts'
import { readings } from './cases/index.ts'

vi.spyOn(console, 'error').mockReturnValue()

for (const mode of ['memory', 'file'] as const) {
  const tables = readings.filter(({ isLong }) => mode === 'memory' || !isLong)
  describe.each(tables)(`from ${mode}: $title`, ({ data, setup, steps }) => {
    let pair: Pair
    beforeAll(async () => {
      pair = await startPair(data, mode, setup)
    })
    afterAll(() => pair.close())

    for (const step of steps) it.concurrent(nameOf(step), () => compareStep(pair, step))
  })
}

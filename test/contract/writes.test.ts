import { describe, it, vi } from 'vitest'
import { play } from '../support/oracle/contract.ts'
import { cases } from './cases/index.ts'

vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

for (const mode of ['memory', 'file'] as const) {
  describe(`data kept in ${mode}`, () => {
    for (const each of cases) it.concurrent(each.name, () => play(each, mode))
  })
}

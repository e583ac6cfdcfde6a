import { it, vi } from 'vitest'
import { play } from '../support/oracle/contract.ts'
import { cases } from './cases/index.ts'

vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

for (const each of cases) it.concurrent(each.name, () => play(each, 'file'))

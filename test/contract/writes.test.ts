import { it } from 'vitest'
import { silenceConsole } from '../support/console.ts'
import { play } from '../support/oracle/contract.ts'
import { cases } from './cases/index.ts'

silenceConsole('error', 'warn')

for (const each of cases) it.concurrent(each.name, () => play(each, 'file'))

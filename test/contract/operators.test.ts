import { describe } from 'vitest'
import { silenceConsole } from '../support/console.ts'
import { operatorTable } from './cases/operators.ts'
import { compareReadings } from './compare-readings.ts'

silenceConsole('error')

describe(operatorTable.title, () => compareReadings(operatorTable))

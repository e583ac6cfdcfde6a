import { describe, vi } from 'vitest'
import { operatorTable } from './cases/operators.ts'
import { compareReadings } from './compare-readings.ts'

vi.spyOn(console, 'error').mockReturnValue()

describe(operatorTable.title, () => compareReadings(operatorTable))

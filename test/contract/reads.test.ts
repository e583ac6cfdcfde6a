import { describe, vi } from 'vitest'
import { readings } from './cases/index.ts'
import { compareReadings } from './compare-readings.ts'

vi.spyOn(console, 'error').mockReturnValue()

describe.each(readings)('$title', compareReadings)

import { describe } from 'vitest'
import { silenceConsole } from '../support/console.ts'
import { readings } from './cases/index.ts'
import { compareReadings } from './compare-readings.ts'

silenceConsole('error')

describe.each(readings)('$title', compareReadings)

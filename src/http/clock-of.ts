import type { Request } from 'express'
import { Clock } from '../util/clock.ts'

export type ClockOf = (req: Request) => Clock

const real = new Clock()

/** The system's time, for layers and endpoints that are used without a clock. */
export const REAL_TIME = (): Clock => real

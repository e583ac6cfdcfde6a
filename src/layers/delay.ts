import type { RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { exposeTo } from '../http/headers.ts'
import { type ClockOf, REAL_TIME } from '../http/request-context.ts'
import { LONGEST_WAIT, wait } from './parts/hold-response.ts'
import { checkOptions, DEFAULTS } from './parts/options.ts'

export interface DelayOptions {
  /** The shortest wait, in whole milliseconds. @default 200 */
  min?: number
  /** The longest wait, in whole milliseconds, inclusive. @default 1499 */
  max?: number
  /** Returns a number from 0 up to, but not including, 1. Tests inject their own. @default Math.random */
  random?: () => number
  /** The clock that each request is answered by. @internal */
  clockOf?: ClockOf
}

/** Delays each request by a random time, and reports it in `X-Simulated-Delay`. */
export function delay(options: DelayOptions = {}): RequestHandler {
  checkOptions('delay', options, ['min', 'max', 'random', 'clockOf'])
  const {
    min = DEFAULTS.delay.min,
    max = DEFAULTS.delay.max,
    random = Math.random,
    clockOf = REAL_TIME,
  } = options
  checkRange(min, max)

  return function delay(req, res, next) {
    const milliseconds = min + Math.floor(random() * (max - min + 1))
    wait(res, milliseconds, () => {
      res.setHeader('X-Simulated-Delay', `${milliseconds}ms`)
      res.setHeader('X-Server-Time', clockOf(req).iso())
      exposeTo(req, res, HEADERS)
      next()
    })
  }
}

const HEADERS = ['X-Simulated-Delay', 'X-Server-Time']

function checkRange(min: number, max: number): void {
  for (const [name, value] of Object.entries({ min, max })) {
    if (!Number.isInteger(value) || value < 0 || value > LONGEST_WAIT) {
      throw new ConfigError(`delay.${name} must be a whole number of milliseconds, 0 or more`)
    }
  }
  if (min > max) throw new ConfigError(`delay.min (${min}) must not be larger than delay.max (${max})`)
}

/** Delays each request by the same time, which is checked already: `--delay`. */
export function pause(milliseconds: number): RequestHandler {
  return function pause(_req, res, next) {
    wait(res, milliseconds, next)
  }
}

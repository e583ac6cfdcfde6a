import type { RequestHandler } from 'express'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import { exposeTo } from '../kernel/http/headers.ts'
import { worldOf } from '../kernel/http/world.ts'
import { wait } from './parts/hold-response.ts'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS } from './parts/options.ts'

export interface DelayOptions {
  /** The shortest wait, in whole milliseconds. @default 200 */
  min?: number
  /** The longest wait, in whole milliseconds, inclusive. @default 1499 */
  max?: number
  /** Returns a number from 0 up to, but not including, 1. Tests inject their own. @default Math.random */
  random?: () => number
}

/** Delays each request by a random time, and reports it in `X-Simulated-Delay`. */
export function delay(options: DelayOptions = {}): RequestHandler {
  checkOptions('delay', options)
  const { min = DEFAULTS.delay.min, max = DEFAULTS.delay.max, random = Math.random } = options
  if (min > max) throw new ConfigError(`delay.min (${min}) must not be larger than delay.max (${max})`)

  return function delay(req, res, next) {
    const milliseconds = min + Math.floor(random() * (max - min + 1))
    wait(res, milliseconds, () => {
      res.setHeader('X-Simulated-Delay', `${milliseconds}ms`)
      res.setHeader('X-Server-Time', worldOf(req).clock.iso())
      exposeTo(req, res, HEADERS)
      next()
    })
  }
}

const HEADERS = ['X-Simulated-Delay', 'X-Server-Time']

/** Delays each request by the same time, which is checked already: `--delay`. */
export function pause(milliseconds: number): RequestHandler {
  return function pause(_req, res, next) {
    wait(res, milliseconds, next)
  }
}

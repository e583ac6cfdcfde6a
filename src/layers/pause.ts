import type { RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { MAX_WAIT, wait } from './_wait.ts'

/** Delays each request by the same time: what `--delay` does. Sets no timer for 0. */
export function pause(milliseconds: number): RequestHandler {
  if (!Number.isFinite(milliseconds) || milliseconds < 0 || milliseconds > MAX_WAIT) {
    throw new ConfigError('delay must be a number of milliseconds, 0 or more')
  }
  return function pause(_req, res, next) {
    if (milliseconds === 0) next()
    else wait(res, milliseconds, next)
  }
}

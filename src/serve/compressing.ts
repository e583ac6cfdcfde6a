import compression from 'compression'
import type { RequestHandler } from 'express'
import { asSent } from '../core/kernel/http/request-context.ts'

/** Compresses responses, but not those of another server: their bodies stay as they came. */
export function compressing(): RequestHandler {
  return compression({ filter: (req, res) => !asSent.has(res) && compression.filter(req, res) })
}

import type { RequestHandler } from 'express'
import { shapeErrors as setErrorShape } from '../../http/error-shape.ts'
import { prefersPlain } from '../../http/headers.ts'
import type { ClockOf } from '../../http/request-context.ts'
import type { ResponseShape } from '../../shape/response-shape.ts'
import { errorShape } from './shape-error.ts'

/** Errors of layers in front of the router look as the router's do. Those of the server's own endpoints do not. */
export function shapeErrors(shape: ResponseShape, clockOf: ClockOf): RequestHandler {
  return function shapeErrors(req, res, next) {
    if (!req.url.startsWith('/__') && !prefersPlain(req)) {
      setErrorShape(
        res,
        errorShape(shape, req, () => clockOf(req).iso()),
      )
    }
    next()
  }
}

import type { RequestHandler } from 'express'
import { shapeErrors } from '../../http/error-shape.ts'
import { prefersPlain } from '../../http/headers.ts'
import type { ClockOf } from '../../http/request-context.ts'
import type { RewriteUrl } from '../../http/request-url.ts'
import type { ResponseShapes } from '../../shape/response-shape.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import { findTarget } from '../target.ts'
import { errorShape } from './shape-error.ts'

export interface GuardErrorsOptions {
  readonly engine: Catalog
  readonly rewrite: RewriteUrl
  readonly clockOf: ClockOf
}

/** Errors of layers in front of the router look as the router's do. Those of the server's own endpoints do not. */
export function shapeGuardErrors(
  shapes: ResponseShapes,
  { engine, rewrite, clockOf }: GuardErrorsOptions,
): RequestHandler {
  const shapeFor = (url: string) => {
    const [path = ''] = rewrite(url).split('?', 1)
    try {
      return shapes.of(findTarget(engine, path)?.name)
    } catch {
      // It is malformed, which is not what this error is about.
      return shapes.server
    }
  }
  return function shapeGuardErrors(req, res, next) {
    const { url } = req
    if (!url.startsWith('/__')) {
      shapeErrors(res, () => {
        if (prefersPlain(req)) return undefined
        return errorShape(shapeFor(url), req, () => clockOf(req).iso())
      })
    }
    next()
  }
}

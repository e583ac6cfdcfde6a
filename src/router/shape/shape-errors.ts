import { STATUS_CODES } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { type ErrorBody, errorBody } from '../../catalogue/errors.ts'
import { prefersPlain } from '../../http/headers.ts'
import type { RewriteUrl } from '../../http/request-url.ts'
import { type ErrorShape, errorShapes } from '../../http/send-json.ts'
import { worldOf } from '../../http/world.ts'
import type { ResponseShape, ResponseShapes } from '../../shape/response-shape.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import { attempt } from '../../util/attempt.ts'
import { findTarget } from '../target.ts'

/**
 * Fills in the template of errors; undefined where there is nothing to do.
 * @param show what is said about a query or a patch, in the words of the client
 */
export function errorShape(
  shape: ResponseShape | undefined,
  req: Request,
  timeOf: () => string,
  show?: (message: string) => string,
): ErrorShape | undefined {
  if (!shape || !(shape.hasErrors || shape.showKey || show)) return undefined
  return {
    type: shape.hasErrors ? shape.template.type : undefined,
    fill(status, body) {
      const { code, errors, message } = shownBody(body, shape.showKey, show)
      if (!shape.hasErrors) return { ...body, message, ...(errors && { errors }) }
      const title = STATUS_CODES[status] ?? 'Error'
      const name = `${title.replace(/[^A-Za-z]/g, '')}Error`
      const time = body.timestamp ?? timeOf()
      const path = req.originalUrl.replace(/\?.*$/s, '')
      return shape.error({ status, title, code, message, errors, name, time, path })
    },
  }
}

/** The body of a 404, where errors have a template: otherwise it is `{}`, as in json-server. */
export const NOT_FOUND = errorBody('NOT_FOUND', 'Not found')

export interface GuardErrorsOptions {
  readonly engine: Catalog
  readonly rewrite: RewriteUrl
}

/** Errors of layers in front of the router look as the router's do. Those of the server's own endpoints do not. */
export function shapeGuardErrors(
  shapes: ResponseShapes,
  { engine, rewrite }: GuardErrorsOptions,
): RequestHandler {
  const shapeFor = (url: string) => {
    const [path = ''] = rewrite(url).split('?', 1)
    // It may be malformed, which is not what this error is about.
    return shapes.of(attempt(() => findTarget(engine, path))?.name)
  }
  return function shapeGuardErrors(req, res, next) {
    const { url } = req
    if (!url.startsWith('/__')) {
      errorShapes.set(res, () => {
        if (prefersPlain(req)) return undefined
        return errorShape(shapeFor(url), req, () => worldOf(req).clock.iso())
      })
    }
    next()
  }
}

const ABOUT_REQUESTS: readonly string[] = ['INVALID_QUERY', 'INVALID_PATCH', 'PATCH_TEST_FAILED']

/** With the names that clients know. */
function shownBody(
  body: ErrorBody,
  showKey: ((name: string) => string) | undefined,
  show: (message: string) => string = (message) => message,
): ErrorBody {
  if (ABOUT_REQUESTS.includes(body.code)) return { ...body, message: show(body.message) }
  if (!showKey || !body.errors) return body
  let { message } = body
  const errors: Record<string, string> = {}
  for (const [path, problem] of Object.entries(body.errors)) {
    const shown = path.split('.').map(showKey).join('.')
    message = message.replace(path, shown)
    errors[shown] = problem
  }
  return { ...body, message, errors }
}

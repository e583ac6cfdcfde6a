import { STATUS_CODES } from 'node:http'
import type { Request, Response } from 'express'
import { type ErrorBody, errorBody } from '../../../core/kernel/catalogue/errors.ts'
import { prefersPlain } from '../../../core/kernel/http/headers.ts'
import { type ErrorShape, errorShapes } from '../../../core/kernel/http/send-json.ts'
import { attempt } from '../../../core/kernel/util/attempt.ts'
import { statusOfError } from '../../../core/router/own-statuses.ts'
import type { ShapedErrorContext } from '../../../core/router/shape.ts'
import { findTarget } from '../../../core/router/target.ts'
import type { ResponseShape, ResponseShapes } from '../response-shape.ts'
import { requestShapes } from './request-shape.ts'
import { shownMessage } from './shown-diagnostics.ts'

/** Errors look as the shape of their resource has them from then on, but for those of the server's own endpoints. */
export function shapeErrors(
  all: ResponseShapes,
  req: Request,
  res: Response,
  context: ShapedErrorContext,
): void {
  const { engine, pathOf, timeOf } = context
  if (prefersPlain(req) || req.url.startsWith('/__')) {
    errorShapes.delete(res)
    return
  }
  errorShapes.set(res, () => {
    const shape = all.of(attempt(() => findTarget(engine, pathOf()))?.name)
    const request = requestShapes.get(req)
    return errorShape(shape, req, timeOf, request && ((message) => shownMessage(message, request)))
  })
}

/**
 * Fills in the template of errors; undefined where there is nothing to do.
 * @param show what is said about a query or a patch, in the words of the client
 */
function errorShape(
  shape: ResponseShape | undefined,
  req: Request,
  timeOf: () => string,
  show?: (message: string) => string,
): ErrorShape | undefined {
  if (!shape || !(shape.changesErrors || shape.showKey || show)) return undefined
  return {
    type: shape.hasErrors ? shape.errorType : undefined,
    status: (ours, code) => statusOfError(shape.status, code, ours),
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

import { STATUS_CODES } from 'node:http'
import type { Request } from 'express'
import { type ErrorBody, errorBody } from '../../catalogue/errors.ts'
import type { ErrorShape } from '../../http/error-shape.ts'
import type { ResponseShape } from '../../shape/response-shape.ts'

/** Fills in the template of errors; undefined where there is none and names stay. */
export function errorShape(
  shape: ResponseShape | undefined,
  req: Request,
  timeOf: () => string,
): ErrorShape | undefined {
  if (!shape || !(shape.hasErrors || shape.showKey)) return undefined
  return {
    type: shape.template.type,
    fill(status, body) {
      const errors = body.errors && shownErrors(body.errors, shape.showKey)
      const message = shownMessage(body, shape.showKey)
      if (!shape.hasErrors) return errors ? { ...body, message, errors } : body
      const title = STATUS_CODES[status] ?? 'Error'
      return shape.error({
        ...{ status, title, code: body.code, message, errors },
        name: `${title.replace(/[^A-Za-z]/g, '')}Error`,
        time: body.timestamp ?? timeOf(),
        path: req.originalUrl.replace(/\?.*$/s, ''),
      })
    },
  }
}

function shownMessage(
  { message, errors = {} }: ErrorBody,
  showKey: ((name: string) => string) | undefined,
): string {
  if (!showKey) return message
  return Object.keys(errors).reduce((text, path) => text.replace(path, shownPath(path, showKey)), message)
}

function shownPath(path: string, showKey: (name: string) => string): string {
  return path.split('.').map(showKey).join('.')
}

/** By the names that clients know. */
function shownErrors(
  errors: NonNullable<ErrorBody['errors']>,
  showKey: ((name: string) => string) | undefined,
): Record<string, string> {
  if (!showKey) return errors
  return Object.fromEntries(
    Object.entries(errors).map(([path, problem]) => [shownPath(path, showKey), problem]),
  )
}

/** The body of a 404, where errors have a template: otherwise it is `{}`, as in json-server. */
export const NOT_FOUND = errorBody('NOT_FOUND', 'Not found')

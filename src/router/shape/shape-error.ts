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
  spoken: ReadonlyMap<string, string> = NOTHING_SPOKEN,
): ErrorShape | undefined {
  if (!shape || !(shape.hasErrors || shape.showKey)) return undefined
  return {
    type: shape.template.type,
    fill(status, body) {
      const errors = body.errors && shownErrors(body.errors, shape.showKey)
      const message = shownMessage(body, shape.showKey, spoken)
      if (!shape.hasErrors) return { ...body, message, ...(errors && { errors }) }
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
  spoken: ReadonlyMap<string, string>,
): string {
  const paths = showKey ? Object.keys(errors) : []
  const shown = paths.reduce((text, path) => text.replace(path, shownPath(path, showKey)), message)
  return spoken.size === 0 ? shown : shown.replace(NAME, (name) => spoken.get(name) ?? name)
}

const NAME = /[\w-]+/g

const NOTHING_SPOKEN: ReadonlyMap<string, string> = new Map()

function shownPath(path: string, showKey: (name: string) => string = (name) => name): string {
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

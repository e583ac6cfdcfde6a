import type { Row } from '../storage/types.ts'
import { RequestError } from './respond.ts'

/** The body as fields of one item; none given counts as an empty one. */
export function objectBody(body: unknown): Row {
  if (body === undefined) return {}
  if (isRow(body)) return body
  throw invalidBody()
}

/** The body as one item, or as a list of items. */
export function objectOrArrayBody(body: unknown): Row | readonly Row[] {
  if (!Array.isArray(body)) return objectBody(body)
  if (body.every(isRow)) return body
  throw invalidBody()
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidBody(): RequestError {
  return new RequestError(
    'INVALID_BODY',
    'The body must be a JSON object, such as {"name": "Desk"}; POST to a collection also takes an array of objects.',
  )
}

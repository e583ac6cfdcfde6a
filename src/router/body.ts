import { MAX_DEPTH } from '../layers/body-parser.ts'
import { isRow } from '../storage/is-row.ts'
import { isWithin } from '../storage/load.ts'
import type { Row } from '../storage/types.ts'
import { RequestError } from './respond.ts'

/** The body as fields of one item; none given counts as an empty one. */
export function objectBody(body: unknown): Row {
  if (body === undefined) return {}
  if (!isRow(body)) throw invalidBody(NO_OBJECT)
  refuseDeep(body)
  return body
}

/** The body as one item, or as a list of items, whose ids can stand in a URL. */
export function objectOrArrayBody(body: unknown, id: string): Row | readonly Row[] {
  const rows = Array.isArray(body) ? body : [objectBody(body)]
  if (rows.length > MOST_ROWS) {
    throw invalidBody(`The list has more than ${MOST_ROWS} rows; send fewer at a time.`)
  }
  if (!rows.every(isRow)) throw invalidBody(NO_OBJECT)
  refuseDeep(body)
  if (rows.some((row) => Object.hasOwn(row, id) && typeof row[id] === 'object' && row[id] !== null)) {
    throw invalidBody(`The field ${id} must be a text or a number; leave it out to get the next one.`)
  }
  return Array.isArray(body) ? rows : (rows[0] ?? {})
}

/** 10 MB hold as many ordinary rows, but millions of empty ones: those would keep everybody else waiting. */
const MOST_ROWS = 100_000

const NO_OBJECT =
  'The body must be a JSON object, such as {"name": "Desk"}; POST to a collection also takes an array of objects.'

/** Our own parser has looked already; another one in front of the router lets any depth pass. */
function refuseDeep(body: unknown): void {
  if (!isWithin(body, MAX_DEPTH)) {
    throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`)
  }
}

function invalidBody(message: string): RequestError {
  return new RequestError('INVALID_BODY', message)
}

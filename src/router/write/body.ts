import type { Request } from 'express'
import { MAX_DEPTH } from '../../json/bounds.ts'
import { storable } from '../../json/finite.ts'
import { isKnownToBeBounded } from '../../layers/body/parse-body.ts'
import { isFormBody } from '../../layers/body-parser.ts'
import type { WriteOptions } from '../../storage/change.ts'
import { isRow } from '../../storage/is-row.ts'
import type { Row } from '../../storage/types.ts'
import { RequestError } from '../request-error.ts'

/** The body as fields of one item; no body counts as an empty object. */
export function objectBody(body: unknown): Row {
  if (body === undefined) return {}
  if (!isRow(body)) throw invalidBody(NO_OBJECT)
  return bounded(body)
}

/** The body as one item or an array of items, whose ids fit in a URL. */
export function objectOrArrayBody(body: unknown, id: string): Row | readonly Row[] {
  if (!Array.isArray(body)) {
    const row = objectBody(body)
    checkId(row, id)
    return row
  }
  if (body.length > MOST_ROWS) {
    throw invalidBody(`The list has more than ${MOST_ROWS} rows; send fewer at a time.`)
  }
  if (!body.every(isRow)) throw invalidBody(NO_OBJECT)
  const rows = bounded(body)
  for (const row of rows) checkId(row, id)
  return rows
}

/** 10 MB holds about this many ordinary rows, but millions of empty ones, which would block other requests. */
const MOST_ROWS = 100_000

/** Each character may take nine in a URL, and the URL and headers together must fit in 16 KB. */
const LONGEST_ID = 1000

const NO_OBJECT =
  'The body must be a JSON object, such as {"name": "Desk"}; POST to a collection also takes an array of objects.'

export function checkId(row: Row, name: string): void {
  if (!Object.hasOwn(row, name)) return
  const id = row[name]
  if (typeof id === 'object' && id !== null) {
    throw invalidBody(`The field ${name} must be a string or a number; leave it out to get the next one.`)
  }
  if (typeof id === 'string' && id.length > LONGEST_ID) {
    throw invalidBody(
      `The field ${name} has more than ${LONGEST_ID} characters, too many for a URL; send a shorter one, or leave it out to get the next one.`,
    )
  }
}

/** Our own body parser checks this already; another one in front of the router does not. */
export function bounded<T extends object>(body: T): T {
  if (isKnownToBeBounded(body)) return body
  const stored = storable(body, MAX_DEPTH)
  if (stored) return stored
  throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`)
}

function invalidBody(message: string): RequestError {
  return new RequestError('INVALID_BODY', message)
}

/** Which fields are text only because they came in a form, or in the path. A schema may want numbers of them. */
export function textsOf(req: Request, inPath?: string): Pick<WriteOptions, 'texts'> {
  if (isFormBody(req)) return { texts: 'all' }
  return inPath === undefined ? {} : { texts: [inPath] }
}

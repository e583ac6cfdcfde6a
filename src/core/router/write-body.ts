import type { Request } from 'express'
import type { Patch, WriteOptions } from '../engine/change.ts'
import type { Row } from '../engine/types.ts'
import { StorageError } from '../kernel/catalogue/error-classes.ts'
import { count, MAX_DEPTH, storable } from '../kernel/json/limits.ts'
import { MOST_OPERATIONS, type PatchOperation, readOperations } from '../kernel/json/patches.ts'
import { urlSegment } from '../kernel/json/url-segment.ts'
import { isObject } from '../kernel/json/values.ts'
import { isFormBody } from '../layers/body-parser.ts'
import { boundedBodies } from '../layers/parts/parse-body.ts'
import { RequestError } from './request-error.ts'

export function objectBody(body: unknown): Row {
  if (body === undefined) return {}
  if (!isObject(body)) throw invalidBody(NO_OBJECT)
  return bounded(body)
}

export function objectOrArrayBody(body: unknown, id: string): Row | readonly Row[] {
  if (!Array.isArray(body)) {
    const row = objectBody(body)
    checkId(row, id)
    return row
  }
  if (body.length > MOST_ROWS) {
    throw invalidBody(`The list has more than ${MOST_ROWS} rows; send fewer at a time.`)
  }
  if (!body.every(isObject)) throw invalidBody(NO_OBJECT)
  const rows = bounded(body)
  for (const row of rows) checkId(row, id)
  return rows
}

/** 10 MB holds this many ordinary rows, but millions of empty ones, which would block other requests. */
const MOST_ROWS = 100_000

const LONGEST_ID = 1000

/** Encoded for a URL: `Location` has at most 8 KB. */
const LONGEST_SEGMENT = 7000

const NO_OBJECT =
  'The body must be a JSON object, such as {"name": "Desk"}; POST to a collection also takes an array of objects.'

export function checkId(row: Row, name: string): void {
  if (!Object.hasOwn(row, name)) return
  const id = row[name]
  if (typeof id === 'object' && id !== null) {
    throw invalidBody(`The field ${name} must be a string or a number; leave it out to get the next one.`)
  }
  if (typeof id !== 'string') return
  if (id.length > LONGEST_ID || urlSegment(id).length > LONGEST_SEGMENT) {
    throw invalidBody(
      `The field ${name} is too long for a URL; send one of at most ${LONGEST_ID} characters, ${LONGEST_SEGMENT} once it is encoded, or leave it out to get the next one.`,
    )
  }
}

/** Our body parser checks this; another one in front of the router may not. */
function bounded<T extends object>(body: T): T {
  if (boundedBodies.has(body)) return body
  const stored = storable(body, MAX_DEPTH)
  if (stored) return stored
  throw invalidBody(`The body is nested deeper than ${MAX_DEPTH} levels; send a flatter one.`)
}

function invalidBody(message: string): RequestError {
  return new RequestError('INVALID_BODY', message)
}

/** Fields of forms that a feature has read. */
export const formTexts = new WeakMap<Request, readonly string[]>()

/** Fields that are text because they came in a form or in the path: a schema may convert them. */
export function textsOf(req: Request, inPath?: string): Pick<WriteOptions, 'texts'> {
  const read = formTexts.get(req)
  if (read) return { texts: inPath === undefined ? read : [...read, inPath] }
  if (isFormBody(req)) return { texts: 'all' }
  return inPath === undefined ? {} : { texts: [inPath] }
}

/** The patch in a PATCH, by its content type; undefined for plain fields to merge, as in json-server. */
export function patchOf(req: Request): Patch | undefined {
  const type = req.headers['content-type']
  if (req.method !== 'PATCH') return undefined
  if (type === undefined || !PATCH_TYPE.test(type)) return refuseUnnamed(req.body)
  if (!/json-patch/i.test(type)) return { format: 'merge-patch', fields: objectBody(req.body) }
  return { format: 'json-patch', operations: readPatch(req.body) }
}

const PATCH_TYPE = /^\s*application\/(?:merge|json)-patch\+json\s*(?:;|$)/i

function refuseUnnamed(body: unknown): undefined {
  const isPatch =
    Array.isArray(body) && body.length > 0 && body.every((one) => Object.hasOwn(Object(one), 'op'))
  if (!isPatch) return undefined
  throw invalidBody('This is a JSON Patch; send it with Content-Type: application/json-patch+json.')
}

function readPatch(body: unknown): readonly PatchOperation[] {
  if (!Array.isArray(body)) {
    throw invalidBody(
      'A JSON Patch must be a list of operations, such as [{"op":"replace","path":"/name","value":"Desk"}].',
    )
  }
  if (body.length > MOST_OPERATIONS) {
    const message = `The patch has more than ${count(MOST_OPERATIONS)} operations; send fewer at a time.`
    throw new StorageError('BODY_TOO_LARGE', message)
  }
  const operations = readOperations(bounded(body))
  if (typeof operations === 'string') throw invalidBody(operations)
  return operations
}

import type { Request } from 'express'
import { StorageError } from '../../catalogue/error-classes.ts'
import { MOST_OPERATIONS, readOperations } from '../../json/operation.ts'
import type { Patch } from '../../storage/change.ts'
import { RequestError } from '../request-error.ts'
import { bounded, objectBody } from './body.ts'

/** The patch in a PATCH, by its content type; undefined for plain fields to merge, as in json-server. */
export function patchOf(req: Request): Patch | undefined {
  const type = req.headers['content-type']
  if (req.method !== 'PATCH') return undefined
  if (type === undefined || !PATCH_TYPE.test(type)) return refuseUnnamed(req.body)
  if (!/json-patch/i.test(type)) return { format: 'merge-patch', fields: objectBody(req.body) }
  const operations = readPatch(req.body)
  if (typeof operations === 'string') throw new RequestError('INVALID_BODY', operations)
  return { format: 'json-patch', operations }
}

const PATCH_TYPE = /^\s*application\/(?:merge|json)-patch\+json\s*(?:;|$)/i

/** A list of operations is of no use as fields. */
function refuseUnnamed(body: unknown): undefined {
  const isPatch =
    Array.isArray(body) && body.length > 0 && body.every((one) => Object.hasOwn(Object(one), 'op'))
  if (!isPatch) return undefined
  const message = 'This is a JSON Patch; send it with Content-Type: application/json-patch+json.'
  throw new RequestError('INVALID_BODY', message)
}

function readPatch(body: unknown): ReturnType<typeof readOperations> {
  if (!Array.isArray(body)) {
    return 'A JSON Patch must be a list of operations, such as [{"op":"replace","path":"/name","value":"Desk"}].'
  }
  if (body.length > MOST_OPERATIONS) {
    const message = `The patch has more than ${MOST_OPERATIONS.toLocaleString('en')} operations; send fewer at a time.`
    throw new StorageError('BODY_TOO_LARGE', message)
  }
  return readOperations(bounded(body))
}

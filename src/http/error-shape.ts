import type { Response } from 'express'
import type { ErrorBody } from '../catalogue/errors.ts'

/** How errors look: the body, and its media type. */
export interface ErrorShape {
  fill(status: number, body: ErrorBody): unknown
  readonly type?: string | undefined
}

/** Called for each error that is sent. */
type FindErrorShape = () => ErrorShape | undefined

const shapes = new WeakMap<Response, FindErrorShape | undefined>()
const originals = new WeakMap<Response, ErrorBody>()
let hasShapes = false

/** Sets how errors of this response look, whichever handler sends them; undefined: as they are. */
export function shapeErrors(res: Response, find: FindErrorShape | undefined): void {
  hasShapes = true
  shapes.set(res, find)
}

/** The body to send for an error. Costs one comparison until the first response has a shape. */
export function shapedError(res: Response, status: number, body: ErrorBody): unknown {
  const shape = hasShapes ? shapes.get(res)?.() : undefined
  if (!shape) return body
  originals.set(res, body)
  if (shape.type !== undefined && !res.headersSent) res.type(shape.type)
  return shape.fill(status, body)
}

/** The error that was sent, before it was shaped. */
export function originalError(res: Response): ErrorBody | undefined {
  return hasShapes ? originals.get(res) : undefined
}

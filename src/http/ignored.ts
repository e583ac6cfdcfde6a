import type { Request } from 'express'
import type { IgnoredPart } from '../catalogue/exchange.ts'

// In a map rather than on the request: V8 is fast as long as all requests have the same shape.
const notes = new WeakMap<Request, readonly IgnoredPart[]>()

/** Records what of a request had no effect, for the code that shows requests. */
export function recordIgnored(req: Request, ignored: readonly IgnoredPart[]): void {
  notes.set(req, ignored)
}

export function ignoredIn(req: Request): readonly IgnoredPart[] | undefined {
  return notes.get(req)
}

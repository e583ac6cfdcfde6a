import type { Request } from 'express'

/**
 * How the page at `/` undoes a DELETE: the answer to it tells the page, and nobody else, where the row stood, and a POST
 * with the same header puts it back there. Not meant for others; a later version may do it otherwise.
 */
export const PLACE = 'X-Restable-Place'

/** The page marks its requests. */
export function isPageOfOurs(req: Request): boolean {
  return req.headers['x-restable-page'] !== undefined
}

/** The place that a new row is to have; undefined for the end, as usual, and as for all others. */
export function wantedPlace(req: Request): number | undefined {
  if (!isPageOfOurs(req)) return undefined
  const text = req.headers['x-restable-place']
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

import type { Request } from 'express'

/** How the page undoes a DELETE: the response names the row's position, and a POST with it restores it there. */
export const PLACE = 'X-Restable-Place'

export function isPageOfOurs(req: Request): boolean {
  return req.headers['x-restable-page'] !== undefined
}

/** The requested position of a new row; undefined to append it, which is the default. */
export function wantedPlace(req: Request): number | undefined {
  if (!isPageOfOurs(req)) return undefined
  const text = req.headers['x-restable-place']
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

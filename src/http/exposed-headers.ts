import type { Request, Response } from 'express'

/** Response headers that scripts of other origins may read. */
export const EXPOSED_HEADERS: readonly string[] = [
  'X-Total-Count',
  'Link',
  'Location',
  'Content-Range',
  'ETag',
]

/** Lets pages of other origins read these response headers, in addition to those already exposed. */
export function exposeTo(req: Request, res: Response, names: readonly string[]): void {
  if (req.headers.origin !== undefined) addExposed(res, names)
}

export function addExposed(res: Response, names: readonly string[]): void {
  const before = res.getHeader(HEADER)
  if (before === undefined) {
    if (names.length > 0) res.setHeader(HEADER, names.join(', '))
    return
  }
  const present = String(before)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const known = new Set(present.map((name) => name.toLowerCase()))
  const all = [...present, ...names.filter((name) => !known.has(name.toLowerCase()))]
  if (all.length > 0) res.setHeader(HEADER, all.join(', '))
}

const HEADER = 'Access-Control-Expose-Headers'

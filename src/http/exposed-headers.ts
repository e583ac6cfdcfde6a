import type { Request, Response } from 'express'

/** What a browser's script may read of our answers when it comes from another origin. */
export const EXPOSED_HEADERS: readonly string[] = [
  'X-Total-Count',
  'Link',
  'Location',
  'Content-Range',
  'ETag',
]

/** Lets a page of another origin read these headers of an answer as well, beside what others let it read. */
export function exposeTo(req: Request, res: Response, names: readonly string[]): void {
  if (req.headers.origin !== undefined) addExposed(res, names)
}

export function addExposed(res: Response, names: readonly string[]): void {
  const present = String(res.getHeader(HEADER) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const known = new Set(present.map((name) => name.toLowerCase()))
  const all = [...present, ...names.filter((name) => !known.has(name.toLowerCase()))]
  if (all.length > 0) res.setHeader(HEADER, all.join(', '))
}

const HEADER = 'Access-Control-Expose-Headers'

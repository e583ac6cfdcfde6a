import type { Request, Response } from 'express'
import { bodyParsing, takeBody } from '../../../core/layers/body-parser.ts'
import { hereOf } from '../forwarding/forward.ts'
import { HERE, keyOf, mapAround, type Whole } from './entries.ts'
import type { Recording } from './recording.ts'

const PARSING = bodyParsing({ isLast: true, takesAny: true, log: () => {} })

/** Whether an answer to such a request was kept whole. */
export function hasKept({ entries, cleaner }: Recording, req: Request): boolean {
  const { method } = req
  const url = cleaner.url(req.originalUrl)
  if (method === 'GET' || method === 'HEAD') return entries.get(keyOf('GET', url))?.whole !== undefined
  return method === 'POST' && mayBeKept(entries, url)
}

function mayBeKept(entries: Recording['entries'], url: string): boolean {
  const start = `${keyOf('POST', url)} `
  for (const key of entries.keys()) if (key.startsWith(start)) return true
  return false
}

/** Sends what was kept whole. False if nothing was, or the response is another's. */
export async function sendKept(
  { entries, cleaner }: Recording,
  req: Request,
  res: Response,
  before: () => void,
): Promise<boolean> {
  const { method } = req
  const url = cleaner.url(req.originalUrl)
  let whole: Whole | undefined
  if (method === 'GET' || method === 'HEAD') whole = entries.get(keyOf('GET', url))?.whole
  else if (method === 'POST' && mayBeKept(entries, url)) {
    if (!(await takeBody(req, res, PARSING))) return true
    whole = entries.get(
      keyOf('POST', url, JSON.stringify(cleaner.json(JSON.stringify(req.body), url) ?? null)),
    )?.whole
  }
  if (!whole) return false
  before()
  const here = hereOf(req)
  const body = mapAround(whole.body, undefined, (text) =>
    text.startsWith(HERE) ? `${here}${text.slice(HERE.length)}` : text,
  )
  res.status(whole.status).setHeader('Content-Type', whole.type)
  res.send(Buffer.from(JSON.stringify(body, null, 2)))
  return true
}

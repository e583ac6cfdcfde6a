import { METHODS } from 'node:http'
import type { Request, Response } from 'express'

const HEADER = 'X-HTTP-Method-Override'

/** A POST is served as the method that this header names, as by json-server. */
export function overrideMethod(req: Request, res: Response): void {
  const original: unknown = Reflect.get(req, 'originalMethod') ?? req.method
  Object.assign(req, { originalMethod: original })
  if (original === 'POST') {
    res.vary(HEADER)
    const [first = ''] = (req.get(HEADER) ?? '').split(',', 1)
    const method = first.trim().toUpperCase()
    if (METHODS.includes(method)) req.method = method
  }
}

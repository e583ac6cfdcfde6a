import { METHODS } from 'node:http'
import type { RequestHandler } from 'express'

const HEADER = 'X-HTTP-Method-Override'

/** Serves a POST as the method that this header names, as json-server does. */
export const overrideMethod: RequestHandler = (req, res, next) => {
  const original: unknown = Reflect.get(req, 'originalMethod') ?? req.method
  Object.assign(req, { originalMethod: original })
  if (original === 'POST') {
    res.vary(HEADER)
    const [first = ''] = (req.get(HEADER) ?? '').split(',', 1)
    const method = first.trim().toUpperCase()
    if (METHODS.includes(method)) req.method = method
  }
  next()
}

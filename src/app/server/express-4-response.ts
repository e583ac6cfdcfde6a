import type { Express, Request, Response } from 'express'

type Send = (body?: unknown) => Response

/**
 * Makes `res.send(401)`, `res.json(404, body)` and `req.param('id')` in Express 4 middleware
 * work on an Express 5 app, which would send `401` as a body with status 200.
 */
export function acceptExpress4Responses(app: Express): void {
  const { send, json, jsonp }: Record<'send' | 'json' | 'jsonp', Send> = app.response
  const sendWithStatus = withStatus(send)
  Object.assign(app.response, {
    send(this: Response, ...args: unknown[]) {
      const [first] = args
      const isStatus = args.length === 1 && typeof first === 'number'
      return isStatus ? this.sendStatus(first) : sendWithStatus.apply(this, args)
    },
    json: withStatus(json),
    jsonp: withStatus(jsonp),
  })
  Object.assign(app.request, {
    param(this: Request, name: string, fallback?: unknown) {
      const holders: unknown[] = [this.params, this.body, this.query]
      const holder = holders.find((one) => Object.hasOwn(Object(one), name))
      return holder === undefined ? fallback : Reflect.get(Object(holder), name)
    },
  })
}

/** One of two arguments is the status, in either order. */
function withStatus(send: Send): (this: Response, ...args: unknown[]) => Response {
  return function (...args) {
    const [first, second] = args
    if (args.length === 2 && typeof first === 'number') return send.call(this.status(first), second)
    if (args.length === 2 && typeof second === 'number') return send.call(this.status(second), first)
    return send.call(this, first)
  }
}

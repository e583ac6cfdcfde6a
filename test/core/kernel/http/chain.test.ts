import express, { type RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { chain } from '../../../../src/core/kernel/http/chain.ts'

/** Notes its name and goes on. */
function note(name: string): RequestHandler {
  return (req, _res, next) => {
    seenBy(req).push(name)
    next()
  }
}

function seenBy(req: object & { seen?: string[] }): string[] {
  req.seen ??= []
  return req.seen
}

const fail: RequestHandler = (_req, _res, next) => next(new Error('wrong'))
const throws: RequestHandler = () => {
  throw new Error('wrong')
}
const rejects: RequestHandler = () => Promise.reject(new Error('wrong'))
const rejectsWithNothing: RequestHandler = () => Promise.reject()
const skipRouter: RequestHandler = (_req, _res, next) => next('router')
const skipRoute: RequestHandler = (_req, _res, next) => next('route')
const caught = ((_error: unknown, req: object, _res: unknown, next: () => void) => {
  seenBy(req).push('caught')
  next()
}) as unknown as RequestHandler

const rows: [string, RequestHandler[]][] = [
  ['nothing', []],
  ['handlers in order', [note('a'), note('b')]],
  ['an error handler nobody needs', [note('a'), caught, note('b')]],
  ['an error that is caught', [fail, note('a'), caught, note('b')]],
  ['an error that nobody catches', [note('a'), fail, note('b')]],
  ['a throw', [throws, note('a'), caught, note('b')]],
  ['a rejection', [rejects, note('a'), caught, note('b')]],
  ['a rejection without a reason', [rejectsWithNothing, caught, note('b')]],
  ['next("router")', [note('a'), skipRouter, note('b')]],
  ['next("route")', [note('a'), skipRoute, note('b')]],
]

describe('a chain does what app.use does', () => {
  it.each(rows)('with %s', async (_, handlers) => {
    const [ours, express5] = await Promise.all([
      outcome([chain(handlers)]),
      outcome(handlers.length > 0 ? [express.Router().use(...handlers)] : []),
    ])
    expect(ours).toEqual(express5)
  })
})

async function outcome(handlers: RequestHandler[]): Promise<unknown> {
  const app = express()
  for (const handler of handlers) app.use(handler)
  app.use((req, res) => void res.json(seenBy(req)))
  app.use(((_error: unknown, req: object, res: express.Response, _next: unknown) => {
    res.status(500).json(seenBy(req))
  }) as express.ErrorRequestHandler)
  const { status, body } = await request(app).get('/')
  return { status, body }
}

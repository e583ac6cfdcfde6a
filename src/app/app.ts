import express, { type Express } from 'express'
import { parseQueryString } from '../router/query-string.ts'

/** An Express application that answers as json-server does: pretty JSON, lists in queries, `req.query` to write on. */
export function create(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('json spaces', 2)
  app.set('query parser', parseQueryString)
  makeQueryWritable(app)
  return app
}

/** Express 5 parses `req.query` anew at each look, so that nothing written on it would stay; Express 4 kept it. */
function makeQueryWritable(app: Express): void {
  const inherited = Object.getOwnPropertyDescriptor(express.request, 'query')
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: object) {
      const query: unknown = inherited?.get?.call(this)
      keep(this, query)
      return query
    },
    set(this: object, query: unknown) {
      keep(this, query)
    },
  })
}

function keep(req: object, query: unknown): void {
  Object.defineProperty(req, 'query', { value: query, configurable: true, enumerable: true, writable: true })
}

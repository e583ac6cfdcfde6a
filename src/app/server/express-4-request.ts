import express, { type Express, type Request } from 'express'

/** Makes Express 4 middleware that uses `req.query` and `req.body` work on an Express 5 app. */
export function acceptExpress4Requests(app: Express): void {
  makeQueryWritable(app.request)
  giveWritesABody(app.request)
}

/** Express 5 parses `req.query` on every access, so that nothing written to it would stay; Express 4 kept it. */
function makeQueryWritable(request: object): void {
  const inherited = Object.getOwnPropertyDescriptor(express.request, 'query')
  Object.defineProperty(request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: object) {
      const query: unknown = inherited?.get?.call(this)
      keep(this, 'query', query)
      return query
    },
    set(this: object, query: unknown) {
      keep(this, 'query', query)
    },
  })
}

/**
 * Before a body is parsed there is none, and `req.body.createdAt = Date.now()` would throw. So writes get an empty
 * placeholder, whose fields are added to the body that a parser reads later.
 */
function giveWritesABody(request: object): void {
  const drafts = new WeakMap<object, { fields: object; unparsed?: unknown }>()
  Object.defineProperty(request, 'body', {
    configurable: true,
    enumerable: true,
    get(this: Request) {
      const known = drafts.get(this)
      if (known) return 'unparsed' in known ? known.unparsed : known.fields
      if (!['POST', 'PUT', 'PATCH'].includes(this.method)) return undefined
      const fields = {}
      drafts.set(this, { fields })
      return fields
    },
    set(this: Request, body: unknown) {
      const draft = drafts.get(this)
      if (draft !== undefined && body === draft.fields) return
      if (draft === undefined || Object.keys(draft.fields).length === 0) keep(this, 'body', body)
      else if (isParsed(body)) keep(this, 'body', this.readableDidRead ? { ...body, ...draft.fields } : body)
      else draft.unparsed = body
    },
  })
}

/** Parsers first assign nothing, then the bytes, and finally an object. */
function isParsed(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
}

function keep(req: object, name: string, value: unknown): void {
  Object.defineProperty(req, name, { value, configurable: true, enumerable: true, writable: true })
}

import express, { type Express, type Request, type Response } from 'express'
import { attempt } from '../core/kernel/util/attempt.ts'

/** The parts of Express's router that take paths. `use` may be called without one. */
export interface Router {
  route(path: unknown): unknown
  use(...args: readonly unknown[]): unknown
}

/**
 * Makes a router, or the prototype of all of them, accept Express 4 paths: `'*'`, `'/products/*'`,
 * `'/:id?'`, `'/users|people'`, as long as `isWanted`. Paths that Express 5 can read keep their meaning there.
 * Returns a function that undoes it.
 */
export function acceptExpress4Paths(router: Router, isWanted = () => true): () => void {
  const { route, use } = router
  const read = (path: unknown, isWhole: boolean): unknown => (isWanted() ? translate(path, isWhole) : path)
  const routeInstead: Router['route'] = function (this: Router, path) {
    return route.call(this, read(path, true))
  }
  const useInstead: Router['use'] = function (this: Router, path, ...handlers) {
    return use.call(this, read(path, false), ...handlers)
  }
  Object.assign(router, { route: routeInstead, use: useInstead })
  return () => {
    // If something has wrapped our method meanwhile, leave it.
    if (router.route === routeInstead) router.route = route
    if (router.use === useInstead) router.use = use
  }
}

function translate(path: unknown, isWhole: boolean): unknown {
  if (Array.isArray(path)) return path.map((one) => translate(one, isWhole))
  return typeof path === 'string' && !isReadable(path) ? compileExpress4Path(path, isWhole) : path
}

/** The only way to find out is to try. Express 5 treats `|` as an ordinary character. */
function isReadable(path: string): boolean {
  if (!/[*?+()[\]{}|!:]/.test(path)) return true
  if (path.includes('|')) return false
  return attempt(() => readRoute.call(express.Router(), path)) !== undefined
}

// Read before anything could have changed it.
const { route: readRoute } = express.Router.prototype as unknown as Router

/**
 * Compiles a path as Express 4 did: `*` is anything, `?`, `+` and parentheses are as in regular expressions,
 * and what a `*` or parentheses matched is `req.params[0]`, `[1]`, … Without `isWhole`, more may follow after a slash.
 */
function compileExpress4Path(path: string, isWhole: boolean): RegExp {
  const names = new Set<string>()
  const source = path.replace(
    TOKEN,
    (token, slash = '', dot = '', name, pattern, star = '', optional = '') => {
      if (token.startsWith('\\')) return token
      if (token === '.') return '\\.'
      if (token === '*') return '(.*)'
      if (token === '/(') return '/(?:'
      const value = pattern ? pattern.slice(1, -1).replace('*', '.*') : dot ? '[^/.]+?' : '[^/]+?'
      // Group names must be unique; a second group of the same name gets a number.
      const group = names.has(name) ? `(${value})` : `(?<${name}>${value})`
      names.add(name)
      const more = star ? '((?:[/.].+?)?)' : ''
      return `(?:${slash}${dot && '\\.'}${group}${more})${optional}`
    },
  )
  const end = isWhole ? '$' : source.endsWith('/') ? '' : '(?=/|$)'
  return new RegExp(`^${source}${source.endsWith('/') ? '?' : '/?'}${end}`, 'i')
}

/** An escaped character; a name with its slash or dot, pattern, star and question mark; a dot, a star; a group. */
const TOKEN = /\\.|(\/)?(\.)?:(\w+)(\([^()]*\))?(\*)?(\?)?|[.*]|\/\(/g

/** Makes Express 4 middleware that uses `req.query` and `req.body` work on an Express 5 app. */
export function acceptExpress4Requests({ request }: Express): void {
  makeQueryWritable(request)
  giveWritesABody(request)
}

/** Express 5 parses `req.query` on every access, so that nothing written to it would stay; Express 4 kept it. */
function makeQueryWritable(request: object): void {
  const inherited = Object.getOwnPropertyDescriptor(express.request, 'query')
  Object.defineProperty(request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: object) {
      const query: unknown = inherited?.get?.call(this)
      defineOwn(this, 'query', query)
      return query
    },
    set(this: object, query: unknown) {
      defineOwn(this, 'query', query)
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
      const draft = drafts.get(this)
      if (draft) return 'unparsed' in draft ? draft.unparsed : draft.fields
      if (!['POST', 'PUT', 'PATCH'].includes(this.method)) return undefined
      const fields = {}
      drafts.set(this, { fields })
      return fields
    },
    set(this: Request, body: unknown) {
      const draft = drafts.get(this)
      if (draft !== undefined && body === draft.fields) return
      if (draft === undefined || Object.keys(draft.fields).length === 0) defineOwn(this, 'body', body)
      else if (isParsed(body))
        defineOwn(this, 'body', this.readableDidRead ? { ...body, ...draft.fields } : body)
      else draft.unparsed = body
    },
  })
}

function isParsed(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)
}

function defineOwn(req: object, name: string, value: unknown): void {
  Object.defineProperty(req, name, { value, configurable: true, enumerable: true, writable: true })
}

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

function withStatus(send: Send): (this: Response, ...args: unknown[]) => Response {
  return function (...args) {
    const [first, second] = args
    if (args.length === 2 && typeof first === 'number') return send.call(this.status(first), second)
    if (args.length === 2 && typeof second === 'number') return send.call(this.status(second), first)
    return send.call(this, first)
  }
}

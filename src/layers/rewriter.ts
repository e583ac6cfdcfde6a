import querystring from 'node:querystring'
import type { Request, RequestHandler } from 'express'
import { ConfigError } from '../errors.ts'
import { noteRules, type Ruled } from '../http/reach.ts'
import { compileRule, type Rewrite } from './rewrite/rewrite-rule.ts'

/** What a routes file holds: patterns on the left, targets on the right, tried from first to last. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Changes `req.url` as the rules say, each rule seeing what the ones before it made, and shows them at
 * `GET /__rules`. `req.originalUrl` stays what the client sent: guards judge it, and links are built from it.
 * @example
 * app.use(rewriter({ '/api/v1/*': '/$1', '/articles?id=:id': '/posts/:id' }))
 */
export function rewriter(rules: RewriteRules = {}): RequestHandler {
  const rewrite = rewriteUrl(rules)
  return function rewriter(req, res, next) {
    if (asksForRules(req)) res.json(rules)
    else rewrite(req, res, next)
  }
}

/** Answers `GET /__rules` further back than where URLs are rewritten, and only who asked for it by that name. */
export function showRules(rules: RewriteRules): RequestHandler {
  return function showRules(req, res, next) {
    if (req.url === req.originalUrl && asksForRules(req)) res.json(rules)
    else next()
  }
}

/** Changes `req.url` as the rules say, but for questions about the server itself, which the page at `/` asks. */
export function rewriteUrl(rules: RewriteRules): RequestHandler {
  const rewrites = entries(rules).map(([pattern, target]) => compileRule(pattern, target))

  return function rewriter(req, _res, next) {
    if (!asksForRules(req) && !ABOUT_US.test(req.url)) apply(rewrites, req)
    next()
  }
}

/** Each rule sees what the ones before it made. */
function apply(rewrites: readonly Rewrite[], req: Request): void {
  let url = req.url
  let ruled: Ruled | undefined
  for (const rewrite of rewrites) {
    const next = rewrite(url)
    if (next === undefined) continue
    url = next.url
    ruled = { ...next, parameters: union(ruled?.parameters, next.parameters) }
  }
  if (ruled) noteRules(req, ruled)
  if (url !== req.url) redirect(req, url)
}

function union(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> {
  return a === undefined || a.size === 0 ? b : new Set([...a, ...b])
}

/** The rules that a value holds, once it is certain that each of them can be followed. */
export function checkRules(rules: unknown): RewriteRules {
  const found = entries(rules)
  for (const [pattern, target] of found) compileRule(pattern, target)
  return Object.fromEntries(found)
}

function entries(rules: unknown): [string, string][] {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new ConfigError('Rewrite rules must be one object, such as { "/api/*": "/$1" }.')
  }
  return Object.entries(rules).map(([pattern, target]) => {
    if (typeof target === 'string') return [pattern, target]
    throw new ConfigError(`Rewrite rule "${pattern}": the target must be a string, such as "/posts/:id".`)
  })
}

/** A rule such as `/*` is about the data. */
const ABOUT_US = /^\/__(?:service|events)\/?(?:\?|$)/

function asksForRules(req: Request): boolean {
  if (!req.url.startsWith('/__rules')) return false
  return (req.method === 'GET' || req.method === 'HEAD') && /^\/__rules\/?$/.test(req.path)
}

function redirect(req: Request, url: string): void {
  req.url = url
  // A query of the request's own was made of the old URL; where there is none, it is read when somebody looks.
  if (Object.hasOwn(req, 'query')) req.query = parseQuery(req, url)
}

function parseQuery(req: Request, url: string): Request['query'] {
  const mark = url.indexOf('?')
  const text = mark === -1 ? '' : url.slice(mark + 1)
  const parse: unknown = req.app?.get('query parser fn')
  return typeof parse === 'function' ? parse(text) : { ...querystring.parse(text) }
}

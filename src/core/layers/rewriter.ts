import querystring from 'node:querystring'
import type { Request, RequestHandler } from 'express'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import { rewrites } from '../kernel/http/request-context.ts'
import type { RewriteRules, RewriteUrl } from '../kernel/http/request-url.ts'
import { pathPattern, SERVER_PATHS } from '../kernel/http/server-paths.ts'
import { compileRule, type Rewrite } from './parts/rewrite-rule.ts'

/**
 * Rewrites `req.url` by the rules, each applied to the result of the ones before it, and serves them at
 * `GET /__rules`. `req.originalUrl` stays as the client sent it: guards judge it, and links are built from it.
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

/** Rewrites `req.url` by the rules, except for requests about the server itself, such as those of its page. */
export function rewriteUrl(rules: RewriteRules): RequestHandler {
  const rewrite = compileRules(rules)

  return function rewriter(req, _res, next) {
    const ruled = asksForRules(req) ? undefined : rewrite(req.url)
    if (ruled) {
      rewrites.set(req, ruled)
      if (ruled.url !== req.url) redirect(req, ruled.url)
    }
    next()
  }
}

export function rewriting(rules: RewriteRules): RewriteUrl {
  const rewrite = compileRules(rules)
  return (url) => rewrite(url)?.url ?? url
}

function compileRules(rules: RewriteRules): Rewrite {
  const rewrites = entries(rules).map(([pattern, target]) => compileRule(pattern, target))
  return (url) => {
    let ruled: ReturnType<Rewrite>
    if (rewrites.length === 0 || ABOUT_US.test(url)) return undefined
    for (const rewrite of rewrites) {
      const next = rewrite(ruled?.url ?? url)
      if (next) ruled = { ...next, parameters: new Set([...(ruled?.parameters ?? []), ...next.parameters]) }
    }
    return ruled
  }
}

export function parseRewriteRules(rules: unknown): RewriteRules {
  const pairs = entries(rules)
  for (const [pattern, target] of pairs) compileRule(pattern, target)
  return Object.fromEntries(pairs)
}

function entries(rules: unknown): [string, string][] {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new ConfigError('Rewrite rules must be one object, such as { "/api/*": "/$1" }.')
  }
  refusePermissions(Object.entries(rules))
  return Object.entries(rules).map(([pattern, target]) => {
    if (typeof target === 'string') return [pattern, target]
    throw new ConfigError(`Rewrite rule "${pattern}": the target must be a string, such as "/posts/:id".`)
  })
}

/** The routes file of json-server-auth, which has permissions: `{ "users": 600 }`. */
function refusePermissions(rules: readonly (readonly [string, unknown])[]): void {
  const permissions = rules.filter(([name, mode]) => !name.includes('/') && /^[0-7]{3}$/.test(String(mode)))
  if (permissions.length === 0) return
  const [[name, mode] = []] = permissions
  const resources = Object.fromEntries(permissions.map(([resource, access]) => [resource, { access }]))
  throw new ConfigError(
    `"${name}": ${JSON.stringify(mode)} is a permission of json-server-auth, not a rewrite rule. Write in the config ` +
      `instead: "middlewares": ["accounts"], "resources": ${JSON.stringify(resources)}`,
  )
}

/** A rule such as `/*` is meant for the data only. */
const ABOUT_US = pathPattern(Object.values(SERVER_PATHS))

export const RULES_PATH = '/__rules'

/** Whether a request is `GET /__rules`. */
export function asksForRules(req: Request): boolean {
  if (!req.url.startsWith(RULES_PATH)) return false
  return (req.method === 'GET' || req.method === 'HEAD') && /^\/__rules\/?$/.test(req.path)
}

function redirect(req: Request, url: string): void {
  req.url = url
  // An own property was parsed from the old URL; without one, the query is parsed on first access.
  if (Object.hasOwn(req, 'query')) req.query = parseQuery(req, url)
}

function parseQuery(req: Request, url: string): Request['query'] {
  const mark = url.indexOf('?')
  const text = mark === -1 ? '' : url.slice(mark + 1)
  const parse: unknown = req.app?.get('query parser fn')
  return typeof parse === 'function' ? parse(text) : { ...querystring.parse(text) }
}

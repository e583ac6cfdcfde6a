import { type Request, type RequestHandler, Router } from 'express'
import type { Access } from '../../core/engine/rules/rights.ts'
import type { Endpoint } from '../../core/kernel/catalogue/endpoint.ts'
import { chain, only } from '../../core/kernel/http/chain.ts'
import type { RewriteUrl } from '../../core/kernel/http/request-url.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { endpointPaths, isLoginAttempt } from '../../core/layers/accounts/endpoints.ts'
import { hasLogins, layerNamed } from '../../core/layers/list.ts'
import { foreignOrigin, hostsOf } from '../../core/layers/origin-checks.ts'
import { refuseRequest } from '../../core/layers/parts/guard.ts'
import type { Config } from '../../features/settings.ts'
import type { ServiceGeneration } from './service-parts.ts'

/** Lets only admins reach the endpoints that are for them, and all paths below. */
export function adminOnly(
  accessOf: (req: Request) => Access,
  endpoints: readonly Endpoint[],
): RequestHandler {
  const guarded = endpoints.filter(({ isFor }) => isFor !== undefined)
  const openInSessions = guarded.filter(({ isFor }) => isFor === 'admins of the base')
  const router = Router()
  router.use(rootsOf(openInSessions), (req, _res, next) => next(worldOf(req).name ? 'router' : undefined))
  // Who names a world may end it, or put its data back, as anybody may in there.
  router.all(['/__sessions/:name', '/__sessions/:name/reset'], (req, _res, next) =>
    next(req.params.name === worldOf(req).name ? 'router' : undefined),
  )
  router.use(rootsOf(guarded), (req, res, next) => {
    const access = accessOf(req)
    if (access.isAdmin || req.method === 'OPTIONS') return next()
    const path = `${req.baseUrl}${req.path}`.replace(/\/$/, '')
    const message = `Only admins can use ${path}.`
    if (access.user !== undefined) refuseRequest(res, 'accounts', 'AUTH_FORBIDDEN', message)
    else refuseRequest(res, 'accounts', 'AUTH_REQUIRED', `${message} Log in first.`)
  })
  return only({ url: /^\/__/ }, router)
}

function rootsOf(endpoints: readonly Endpoint[]): string[] {
  return [...new Set(endpoints.map(({ path }) => `/${path.split('/')[1]}`))]
}

/** Refuses pages of other sites, where requests change the server itself or act as a user. */
export function pageGuard(config: Config): RequestHandler {
  return foreignOrigin(config.trustedOrigins, hostsOf(config))
}

/** Whether a request logs a user in or out, or refreshes a login: it is not a read, but changes no row. */
export function isLogin(config: Config, rewrite: RewriteUrl): (req: Request) => boolean {
  const paths = new Set(loginPaths(config))
  return (req) =>
    req.method === 'POST' &&
    req.headers['x-http-method-override'] === undefined &&
    endpointPaths(req, rewrite).some((path) => paths.has(path))
}

const LOGIN_KINDS: ReadonlySet<string> = new Set(['login', 'logout'])

function loginPaths({ middlewares }: Config): readonly string[] {
  const endpoints = middlewares.flatMap((name) => layerNamed(name)?.endpoints ?? [])
  return endpoints.flatMap(({ kind, path }) => (LOGIN_KINDS.has(kind) ? path : []))
}

/** Behind the layer that answers logins, one that limits requests would count none: it is asked before, too. */
export function withLoginLimit({ config, listed, rewrite }: ServiceGeneration): ServiceGeneration['listed'] {
  const loginAt = config.middlewares.findIndex(hasLogins)
  const limitAt = config.middlewares.indexOf('rate-limit')
  const limit = chain(listed[limitAt]?.handlers ?? [])
  if (loginAt < 0 || limitAt < loginAt) return listed
  const limitLogins: RequestHandler = (req, res, next) =>
    isLoginAttempt(req, rewrite) ? limit(req, res, next) : next()
  return listed.map((entry, at) =>
    at === loginAt ? { ...entry, handlers: [limitLogins, ...entry.handlers] } : entry,
  )
}

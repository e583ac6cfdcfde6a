import type { Request, RequestHandler } from 'express'
import { dropOrigin } from '../http/request-url.ts'
import { trustProxies } from '../layers/parts/trusted-proxies.ts'
import { sendError } from '../router/respond.ts'
import { create } from './server/app.ts'
import type { ServiceHandlers } from './server/in-process.ts'
import type { HandleRequest } from './server/mounted-handler.ts'
import { enteredSession } from './service/enter-session.ts'
import type { Service } from './service/open-service.ts'

/** An app that passes requests straight to the service: there is nothing to route, and Express's router is slow. */
export function serviceApp(service: Service): ServiceHandlers {
  const app = create()
  const isTrusted = trustProxies(() => service.now.config.trustedProxies)
  app.set('trust proxy', isTrusted)
  Object.defineProperty(app, 'db', { get: () => service.now.routers.router.db })
  Object.defineProperty(app.request, 'db', {
    configurable: true,
    get(this: Request) {
      const session = enteredSession(this)
      return session ? service.now.routers.routerOf(session).db : service.now.routers.router.db
    },
    // A middleware may use the name for something of its own.
    set(this: Request, value: unknown) {
      Object.defineProperty(this, 'db', { value, writable: true, configurable: true, enumerable: true })
    },
  })
  const handling = (served: { readonly handle: RequestHandler }): HandleRequest => {
    return (req, res, next) => {
      if (!req.url.startsWith('/')) dropOrigin(req)
      req.res = res
      req.originalUrl = req.url
      req.baseUrl = ''
      req.params = {}
      res.locals = Object.create(null)
      served.handle(req, res, (error?: unknown) => {
        if (error) sendError(res, error)
        else if (next) next()
        else res.status(404).json({})
      })
    }
  }
  const handle = handling(service)
  return { app: Object.assign(app, { handle }), handle, control: handling({ handle: service.control }) }
}

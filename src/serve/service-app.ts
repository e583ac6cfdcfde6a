import type { Request, RequestHandler } from 'express'
import { chainDbOf } from '../compat/chain-db.ts'
import { dropOrigin } from '../core/kernel/http/request-url.ts'
import { enterWorld } from '../core/kernel/http/world.ts'
import { trustProxies } from '../core/layers/parts/trusted-proxies.ts'
import { FAULT_LOG, sendFailure } from '../core/router/respond.ts'
import { servedWorldOf } from '../features/served-world.ts'
import { shownSource } from '../source/explain-source.ts'
import { isInFiles } from '../source/load-source.ts'
import { create } from './server/app.ts'
import type { ServiceHandlers } from './server/in-process.ts'
import type { HandleRequest } from './server/mounted-handler.ts'
import type { Service } from './service/open-service.ts'

/** An app that passes requests straight to the service: there is nothing to route, and Express's router is slow. */
export function serviceApp(service: Service, report: (line: string) => void): ServiceHandlers {
  const app = create()
  app.set(FAULT_LOG, faultLog(report, service))
  const isTrusted = trustProxies(() => service.now.config.trustedProxies)
  app.set('trust proxy', isTrusted)
  Object.defineProperty(app, 'db', { get: () => chainDbOf(service.now.engine) })
  Object.defineProperty(app.request, 'db', {
    configurable: true,
    get(this: Request) {
      return chainDbOf((servedWorldOf(this) ?? service.now).engine)
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
      const outer = next && servedWorldOf(req)
      served.handle(req, res, (error?: unknown) => {
        if (error) sendFailure(res, error)
        else if (next) {
          enterWorld(req, outer)
          next()
        } else res.status(404).json({})
      })
    }
  }
  const handle = handling(service)
  return { app: Object.assign(app, { handle }), handle, control: handling({ handle: service.control }) }
}

/** Prints errors; with the first failed write of the data file, also the remedy. */
function faultLog(print: (line: string) => void, service: Service): (line: string, cause: unknown) => void {
  let isExplained = false
  return (line, cause) => {
    const { source } = service.now.config
    print(line)
    if (isExplained || !(cause instanceof Error && 'syscall' in cause) || !isInFiles(source)) return
    isExplained = true
    print(
      `${shownSource(source)} cannot be written. To serve it without writing to it, start with --no-persist.`,
    )
  }
}

import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** Like `app.use(...handlers)` at a fraction of the cost: no path is matched, every handler applies. */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  const steps = handlers.map(toStep)

  return function chain(req, res, done) {
    let place = 0

    function next(error?: unknown): void {
      const failure = error === 'route' || error === 'router' ? undefined : error
      const step = error === 'router' ? undefined : steps[place++]
      if (!step) {
        done(failure)
        return
      }
      try {
        const result = step(failure, req, res, next)
        if (isThenable(result)) result.then(undefined, (reason) => next(reason || new Error('Rejected')))
      } catch (thrown) {
        next(thrown || new Error('Thrown'))
      }
    }
    next()
  }
}

type Step = (error: unknown, req: Request, res: Response, next: NextFunction) => unknown

/** Express recognizes error handlers by their number of parameters. */
function toStep(handler: RequestHandler): Step {
  if (isErrorHandler(handler)) {
    return (error, req, res, next) => (error ? handler(error, req, res, next) : next())
  }
  return (error, req, res, next) => (error ? next(error) : handler(req, res, next))
}

function isErrorHandler(handler: unknown): handler is Step {
  return typeof handler === 'function' && handler.length > 3
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

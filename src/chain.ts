import type { NextFunction, Request, RequestHandler, Response } from 'express'

/**
 * One handler after the other, as `app.use(...handlers)` runs them, at a fraction of the cost: nothing is matched
 * against a path, since every handler here is for every request.
 */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  return function chain(req, res, done) {
    let place = 0

    function next(error?: unknown): void {
      const handler = handlers[place++]
      if (!handler || error === 'router') done(error === 'router' ? undefined : error)
      else if (error && error !== 'route') passError(error, handler, req, res, next)
      else pass(handler, req, res, next)
    }
    next()
  }
}

function pass(handler: RequestHandler, req: Request, res: Response, next: NextFunction): void {
  if (isErrorHandler(handler)) next()
  else attempt(() => handler(req, res, next), next)
}

function passError(
  error: unknown,
  handler: RequestHandler,
  req: Request,
  res: Response,
  next: NextFunction,
): void {
  if (isErrorHandler(handler)) attempt(() => handler(error, req, res, next), next)
  else next(error)
}

type ErrorHandler = (error: unknown, req: Request, res: Response, next: NextFunction) => unknown

/** Express tells them by the number of their parameters. */
function isErrorHandler(handler: unknown): handler is ErrorHandler {
  return typeof handler === 'function' && handler.length > 3
}

/** What a handler throws, or its promise rejects with, is the next one's error. */
function attempt(work: () => unknown, next: NextFunction): void {
  try {
    const result = work()
    if (result instanceof Promise) result.catch((error: unknown) => next(error || new Error('Rejected')))
  } catch (error) {
    next(error || new Error('Thrown'))
  }
}

import type { ErrorRequestHandler, RequestHandler } from 'express'

/** Like `app.use(...handlers)` at a fraction of the cost: no path is matched but those given by `under`. */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  const steps = handlers.map(toStep)

  return function chain(req, res, done) {
    let position = 0

    function next(error?: unknown): void {
      const failure = error === 'route' || error === 'router' ? undefined : error
      let step = error === 'router' ? undefined : steps[position++]
      while (step && (step.isForErrors !== Boolean(failure) || !req.url.startsWith(step.prefix))) {
        step = steps[position++]
      }
      if (!step) {
        done(failure)
        return
      }
      try {
        const result = (
          step.isForErrors ? step.handle(failure, req, res, next) : step.handle(req, res, next)
        ) as Partial<PromiseLike<unknown>> | undefined
        if (result?.then) result.then(undefined, (reason) => next(reason || new Error('Rejected')))
      } catch (thrown) {
        next(thrown || new Error('Thrown'))
      }
    }
    next()
  }
}

/** Spares all other requests the handler, where it is part of a chain. The handler itself must pass them on as well. */
export function under(prefix: string, handler: RequestHandler): RequestHandler {
  prefixes.set(handler, prefix)
  return handler
}

const prefixes = new WeakMap<RequestHandler, string>()

type Step = { readonly prefix: string } & (
  | { readonly isForErrors: true; readonly handle: ErrorRequestHandler }
  | { readonly isForErrors: false; readonly handle: RequestHandler }
)

function toStep(handler: RequestHandler): Step {
  const prefix = prefixes.get(handler) ?? ''
  return isErrorHandler(handler)
    ? { prefix, isForErrors: true, handle: handler }
    : { prefix, isForErrors: false, handle: handler }
}

function isErrorHandler(handler: unknown): handler is ErrorRequestHandler {
  return typeof handler === 'function' && handler.length > 3
}

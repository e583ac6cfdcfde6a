import type { ErrorRequestHandler, RequestHandler } from 'express'

/** Like `app.use(...handlers)` at a fraction of the cost: no path is matched but those given by `only`. */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  const steps = handlers.map(toStep)

  return function chain(req, res, done) {
    let position = 0

    function next(error?: unknown): void {
      const failure = error === 'route' || error === 'router' ? undefined : error
      let step = error === 'router' ? undefined : steps[position++]
      while (step && (step.isForErrors !== Boolean(failure) || step.url?.test(req.url) === false)) {
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
export function only(url: RegExp, handler: RequestHandler): RequestHandler {
  urls.set(handler, url)
  return handler
}

const urls = new WeakMap<RequestHandler, RegExp>()

type Step = { readonly url: RegExp | undefined } & (
  | { readonly isForErrors: true; readonly handle: ErrorRequestHandler }
  | { readonly isForErrors: false; readonly handle: RequestHandler }
)

function toStep(handler: RequestHandler): Step {
  const url = urls.get(handler)
  return isErrorHandler(handler)
    ? { url, isForErrors: true, handle: handler }
    : { url, isForErrors: false, handle: handler }
}

function isErrorHandler(handler: unknown): handler is ErrorRequestHandler {
  return typeof handler === 'function' && handler.length > 3
}

import type { ErrorRequestHandler, RequestHandler } from 'express'

/** Like `app.use(...handlers)` at a fraction of the cost: no path is matched but those given by `only`. */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  const steps = handlers.map(toStep)

  return function chain(req, res, done) {
    let position = 0

    function next(error?: unknown): void {
      const failure = error === 'route' || error === 'router' ? undefined : error
      let step = error === 'router' ? undefined : steps[position++]
      while (
        step &&
        (step.isForErrors !== Boolean(failure) ||
          step.url?.test(req.url) === false ||
          step.while?.isOn === false)
      ) {
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

/** The requests that a handler is for. */
interface Audience {
  readonly url?: RegExp
  /** While it is off, none: read for each request, so a field rather than a getter. */
  readonly while?: { readonly isOn: boolean }
}

/** Spares all other requests the handler, where it is part of a chain. The handler itself must pass them on as well. */
export function only(audience: Audience, handler: RequestHandler): RequestHandler {
  audiences.set(handler, audience)
  return handler
}

const audiences = new WeakMap<RequestHandler, Audience>()

type Step = Audience &
  (
    | { readonly isForErrors: true; readonly handle: ErrorRequestHandler }
    | { readonly isForErrors: false; readonly handle: RequestHandler }
  )

function toStep(handler: RequestHandler): Step {
  const audience = audiences.get(handler)
  return isErrorHandler(handler)
    ? { ...audience, isForErrors: true, handle: handler }
    : { ...audience, isForErrors: false, handle: handler }
}

function isErrorHandler(handler: unknown): handler is ErrorRequestHandler {
  return typeof handler === 'function' && handler.length > 3
}

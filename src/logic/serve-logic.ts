import type { Request, RequestHandler } from 'express'
import methodOverride from 'method-override'
import { chain } from '../http/chain.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import { queryOf } from '../router/query/query-string.ts'
import { sendError } from '../router/respond.ts'
import type { Engine } from '../storage/engine/engine.ts'
import type { ParsedLogic } from './parse-logic.ts'
import { matchRoute } from './routes.ts'
import type { Client, Runner } from './runner.ts'
import { sendResult } from './send-result.ts'

export interface LogicServing {
  readonly runnerOf: (engine: Engine) => Runner
  /** The client behind a request. */
  readonly clientOf: (req: Request) => Client
  /** Compresses what handlers return, apart from responses of their own, which may be streams. */
  readonly compress: RequestHandler | undefined
  readonly log: (line: string) => void
}

/** Handlers of the user's, in front of the data's own paths. What none of them is for goes on. */
export function serveLogic(
  { routes, name }: ParsedLogic,
  { runnerOf, clientOf, compress, log }: LogicServing,
): (engine: Engine) => RequestHandler {
  const prepare = chain([methodOverride(), createBodyParser({ log, takesAny: true })])
  return (engine) =>
    function logic(req, res, next) {
      const matches = () => matchRoute(routes, req.method, req.path)
      const isOverridden = req.headers['x-http-method-override'] !== undefined
      if (!matches() && !isOverridden) return next()
      prepare(req, res, (error?: unknown) => {
        const matched = matches()
        if (error) return sendError(res, error)
        if (!matched) return next()
        const { params, route } = matched
        const { body, headers } = req
        const called = `${name}: ${route.method} ${route.path}`
        const run = runnerOf(engine).run(clientOf(req), async (tools) => {
          const sent = { params, query: queryOf(req), body, headers, request: req }
          const result = await route.handler({ ...tools, ...sent })
          checkSendable(called, result)
          return result
        })
        run
          .then((result) => {
            if (compress && !(result instanceof Response)) compress(req, res, () => {})
            return sendResult(req, res, result)
          })
          .catch((failure: unknown) => sendError(res, failure))
      })
    }
}

/** What cannot be sent is an error of the handler, too, and changes nothing. */
function checkSendable(called: string, result: unknown): void {
  try {
    if (result === undefined || JSON.stringify(result) !== undefined) return
  } catch (cause) {
    throw new TypeError(`${called} returned what cannot be sent as JSON: ${cause}`, { cause })
  }
  throw new TypeError(`${called} returned a ${typeof result}, which cannot be sent as JSON.`)
}

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
  readonly clientOf: (req: Request) => Omit<Client, 'depth'>
  readonly log: (line: string) => void
}

/** Handlers of the user's, in front of the data's own paths. What none of them is for goes on. */
export function serveLogic(
  { routes }: ParsedLogic,
  { runnerOf, clientOf, log }: LogicServing,
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
        const run = runnerOf(engine).run({ ...clientOf(req), depth: 0 }, async (tools) => {
          const sent = { params, query: queryOf(req), body, headers, request: req }
          const result = await route.handler({ ...tools, ...sent })
          // What cannot be sent is an error of the handler, too, and changes nothing.
          JSON.stringify(result)
          return result
        })
        run
          .then((result) => sendResult(req, res, result))
          .catch((failure: unknown) => sendError(res, failure))
      })
    }
}

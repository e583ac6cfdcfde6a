import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import { ConfigError } from '../errors.ts'
import type { FaultRule, FaultSettings } from '../faults-info.ts'
import { sendError, sendJson } from '../http/send-json.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import type { FaultRules } from '../layers/faults/fault-rules.ts'
import { sendNotFound } from './_answer.ts'
import { ownUrl } from './_own-url.ts'

export interface FaultsEndpointOptions {
  readonly rulesOf: (req: Request) => FaultRules
  /** Checks settings; throws a ConfigError that says what is wrong. */
  readonly parse: (settings: unknown) => FaultSettings
  readonly guard: RequestHandler
  readonly onChange?: ((req: Request) => void) | undefined
  readonly log?: (line: string) => void
}

/**
 * `GET`, `PUT` and `DELETE /__faults`: the rules by which requests fail, and what they decided. `POST` puts one more in
 * front; `PATCH` and `DELETE /__faults/<id>` turn one on or off, or remove it, while the others go on counting.
 */
export function faultRules({ rulesOf, parse, guard, onChange, log }: FaultsEndpointOptions): Router {
  const router = Router()
  const body = createBodyParser({ ...(log && { log }), isLast: true })
  const show = (req: Request, res: Response, status = 200) => sendJson(res, status, rulesOf(req).info)
  const showChanged = (req: Request, res: Response, status?: number) => {
    onChange?.(req)
    show(req, res, status)
  }

  router.get('/__faults', ownUrl, (req, res) => show(req, res))

  router.put('/__faults', ownUrl, guard, body, (req, res) => {
    rulesOf(req).use(parse(req.body))
    showChanged(req, res)
  })

  router.post('/__faults', ownUrl, guard, body, (req, res) => {
    rulesOf(req).add(ruleIn(parse({ rules: [req.body] })))
    showChanged(req, res, 201)
  })

  router.delete('/__faults', ownUrl, guard, (req, res) => {
    rulesOf(req).reset()
    showChanged(req, res)
  })

  router.patch('/__faults/:id', ownUrl, guard, body, (req, res) => {
    const { on, ...rest }: { on?: unknown } = Object(req.body)
    if (typeof on !== 'boolean' || Object.keys(rest).length > 0) {
      throw new ConfigError('Send {"on": true} or {"on": false}.')
    }
    if (rulesOf(req).turn(idOf(req), on)) show(req, res)
    else sendNotFound(res)
  })

  router.delete('/__faults/:id', ownUrl, guard, (req, res) => {
    if (rulesOf(req).remove(idOf(req))) showChanged(req, res)
    else sendNotFound(res)
  })

  return router.use(refuseSettings)
}

function idOf(req: Request): number {
  return Number(req.params.id)
}

function ruleIn({ rules: [rule] = [] }: FaultSettings): FaultRule {
  if (rule === undefined) throw new ConfigError('Send a rule.')
  return rule
}

const refuseSettings: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof ConfigError)) return next(error)
  sendError(res, 'INVALID_BODY', error.message)
}

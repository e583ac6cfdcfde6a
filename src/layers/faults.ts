import { STATUS_CODES } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { errorBody } from '../catalogue/errors.ts'
import { addApplied, exposeTo } from '../http/headers.ts'
import { type ClockOf, REAL_TIME } from '../http/request-context.ts'
import { jsonToSend, shapedError } from '../http/send-json.ts'
import { closeWithoutResponse, type Hangs, resetConnection, truncate } from './faults/connection.ts'
import { type Fault, queriedStatus, requestedFault } from './faults/fault.ts'
import type { FaultRules } from './faults/fault-rules.ts'
import { holdResponse } from './faults/hold-response.ts'
import { wait } from './parts/wait.ts'

export interface FaultsOptions {
  readonly rulesOf: (req: Request) => FaultRules
  readonly hangs: Hangs
  /** Whether `_status` is a field of the requested data: then it is a filter. */
  readonly isField: (req: Request) => boolean | Promise<boolean>
  readonly clockOf?: ClockOf
}

/** Fails requests that name a failure in `Prefer` or `_status`, or that a rule applies to. */
export function faults({ rulesOf, hangs, isField, clockOf = REAL_TIME }: FaultsOptions): RequestHandler {
  return function faults(req, res, next) {
    const isPreferred = req.headers.prefer !== undefined
    const isQueried = req.originalUrl.includes('_status=')
    const rules = rulesOf(req)
    if (!isPreferred && !isQueried && rules.active.length === 0) return next()
    if (req.method === 'OPTIONS' || req.originalUrl.startsWith('/__')) return next()
    decideFault(req, res, next, rules)
  }

  function decideFault(req: Request, res: Response, next: NextFunction, rules: FaultRules): void {
    const ruled = () => rules.decide(req.method, req.originalUrl, clockOf(req).iso())
    const perform = (fault = ruled()): void => {
      if (fault) applyFault(fault, req, res, next, hangs)
      else next()
    }
    const preferred = requestedFault(req)
    const queried = queriedStatus(req.originalUrl)
    if (queried === undefined || preferred?.status !== undefined) {
      perform(preferred)
      return
    }
    const decide = (isData: boolean) => perform(isData ? preferred : requestedFault(req, queried))
    const isData = isField(req)
    if (isData instanceof Promise) isData.then(decide).catch(next)
    else decide(isData)
  }
}

function applyFault(fault: Fault, req: Request, res: Response, next: NextFunction, hangs: Hangs): void {
  const { delay, status, connection, isAfter, applied } = fault
  const inTime = (proceed: () => void) => (delay > 0 ? wait(res, delay, proceed) : proceed())
  const showApplied = () => applied && addApplied(req, res, applied)
  const isDelay = status === undefined && connection === undefined
  if (isDelay) showApplied()
  const fail = () => {
    if (!isDelay) showApplied()
    if (res.locals) res.locals.refusedBy = 'faults'
    if (connection === 'reset') resetConnection(res)
    else if (connection === 'empty') closeWithoutResponse(req, res)
    else if (connection === 'hang') hangs.hold(req, res)
    else send(fault, status ?? 500, req, res)
  }

  if (connection === 'truncate') {
    inTime(() => {
      if (res.locals) res.locals.refusedBy = 'faults'
      truncate(res)
      next()
    })
  } else if (!isAfter) inTime(isDelay ? next : fail)
  else {
    const fate = isDelay ? { delay: inTime } : { replace: () => inTime(fail) }
    holdResponse(res, { isSpared: (real) => real >= 500, ...fate })
    next()
  }
}

function send({ headers = {}, body, reason }: Fault, status: number, req: Request, res: Response): void {
  const simulated = errorBody('SIMULATED', reason, { error: STATUS_CODES[status] ?? 'Failure' })
  res.status(status).set({ ...headers })
  exposeTo(
    req,
    res,
    Object.keys(headers).filter((name) => /^retry-after$/i.test(name)),
  )
  const isTyped = res.hasHeader('Content-Type')
  const content = body === undefined ? shapedError(res, status, simulated) : body
  if (!isTyped && !res.hasHeader('Content-Type')) res.type(typeof body === 'string' ? 'text/plain' : 'json')
  res.send(typeof content === 'string' ? content : jsonToSend(res, JSON.stringify(content, null, 2)))
}

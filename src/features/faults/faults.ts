import { STATUS_CODES } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { errorBody } from '../../core/kernel/catalogue/errors.ts'
import { addApplied, exposeTo, preferencesOf } from '../../core/kernel/http/headers.ts'
import { jsonToSend, shapedError } from '../../core/kernel/http/send-json.ts'
import { type WorldState, worldOf } from '../../core/kernel/http/world.ts'
import { recordRefusal } from '../../core/layers/parts/guard.ts'
import { wait } from '../../core/layers/parts/wait.ts'
import { LONGEST_FAULT } from '../fault-options.ts'
import { closeWithoutResponse, type Hangs, resetConnection, truncate } from './broken-connection.ts'
import type { Fault } from './fault-rule.ts'
import type { FaultRules } from './fault-rules.ts'
import { holdResponse } from './hold-response.ts'

export interface FaultsOptions {
  readonly rules: WorldState<FaultRules>
  readonly hangs: Hangs
  /** Whether `_status` is a field of the requested data: then it is a filter. */
  readonly isField: (req: Request) => Promise<boolean>
}

/** Fails requests that name a failure in `Prefer` or `_status`, or that a rule applies to. */
export function faults({ rules: state, hangs, isField }: FaultsOptions): RequestHandler {
  return function faults(req, res, next) {
    const isPreferred = req.headers.prefer !== undefined
    const isQueried = req.originalUrl.includes('_status=')
    const rules = worldOf(req).of(state)
    if (!isPreferred && !isQueried && rules.active.length === 0) return next()
    if (req.method === 'OPTIONS' || req.originalUrl.startsWith('/__')) return next()
    decideFault(req, res, next, rules)
  }

  function decideFault(req: Request, res: Response, next: NextFunction, rules: FaultRules): void {
    const ruled = () => rules.decide(req.method, req.originalUrl, worldOf(req).clock.iso())
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
    isField(req).then(decide).catch(next)
  }
}

const IN_QUERY = /^[^?]*\?(?:.*?&)?_status=([45]\d\d)(?:[&#]|$)/

/** The status of `?_status=503`. Anything else is ignored. */
function queriedStatus(url: string): number | undefined {
  const status = IN_QUERY.exec(url)?.[1]
  return status === undefined ? undefined : Number(status)
}

/** The fault that `Prefer` names (`code=503`, `delay=2000`, `when=after`), or else the query. */
function requestedFault(req: Request, queried?: number): Fault | undefined {
  const preferences = preferencesOf(req)
  const [code = '', delay = ''] = [preferences.get('code'), preferences.get('delay')]
  const preferred = /^[45]\d\d$/.test(code) ? Number(code) : undefined
  const wait = /^\d+$/.test(delay) ? Math.min(Number(delay), LONGEST_FAULT) : undefined
  const status = preferred ?? queried
  if (status === undefined && wait === undefined) return undefined
  const isAfter = preferences.get('when')?.toLowerCase() === 'after'
  const applied = [
    ...(preferred === undefined ? [] : [`code=${preferred}`]),
    ...(wait === undefined ? [] : [`delay=${wait}`]),
    ...(isAfter ? ['when=after'] : []),
  ]
  const how = [
    ...(status === preferred ? [] : [`_status=${status}`]),
    ...(applied.length > 0 ? [`"Prefer: ${applied.join(', ')}"`] : []),
  ]
  const reason = `The request asked for this failure with ${how.join(' and ')}.`
  return { delay: wait ?? 0, status, isAfter, ...(applied.length > 0 && { applied }), reason }
}

function applyFault(fault: Fault, req: Request, res: Response, next: NextFunction, hangs: Hangs): void {
  const { delay, status, connection, isAfter, applied } = fault
  const inTime = (proceed: () => void) => (delay > 0 ? wait(res, delay, proceed) : proceed())
  const showApplied = () => applied && addApplied(req, res, applied)
  const isDelay = status === undefined && connection === undefined
  if (isDelay) showApplied()
  const fail = () => {
    if (!isDelay) showApplied()
    recordRefusal(res, 'faults')
    if (connection === 'reset') resetConnection(res)
    else if (connection === 'empty') closeWithoutResponse(req, res)
    else if (connection === 'hang') hangs.hold(req, res)
    else send(fault, status ?? 500, req, res)
  }

  if (connection === 'truncate') {
    inTime(() => {
      recordRefusal(res, 'faults')
      truncate(res)
      next()
    })
  } else if (!isAfter) inTime(isDelay ? next : fail)
  else {
    const fate = isDelay ? { delay: inTime } : { replace: () => inTime(fail) }
    holdResponse(res, fate)
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

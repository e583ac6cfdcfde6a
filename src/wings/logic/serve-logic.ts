import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response as ExpressResponse, Request, RequestHandler } from 'express'
import type { Engine } from '../../core/engine/engine.ts'
import { overrideMethod } from '../../core/kernel/http/override-method.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { bodyParsing, takeBody } from '../../core/layers/body-parser.ts'
import { queryOf } from '../../core/router/query/query-string.ts'
import { sendFailure } from '../../core/router/respond.ts'
import { isGetOrHead, segmentsOf } from '../../core/router/target.ts'
import { isParameter, type ParsedLogic, type Route } from './parse-logic.ts'
import type { Client, Runner } from './runner.ts'

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
  const parsing = bodyParsing({ log, takesAny: true })
  return (engine) =>
    async function logic(req, res, next) {
      const matches = () => matchRoute(routes, req.method, req.path)
      const isOverridden = req.headers['x-http-method-override'] !== undefined
      if (!matches() && !isOverridden) return next()
      try {
        overrideMethod(req, res)
        if (!(await takeBody(req, res, parsing))) return
        const matched = matches()
        if (!matched) return next()
        const { params, route } = matched
        const { body, headers } = req
        const called = `${name}: ${route.method} ${route.path}`
        const result = await runnerOf(engine).run(clientOf(req), async (tools) => {
          const sent = { params, query: queryOf(req), body, headers, request: req }
          const returned = await route.handler({ ...tools, ...sent })
          checkSendable(called, returned)
          return returned
        })
        if (compress && !(result instanceof Response)) compress(req, res, () => {})
        await sendResult(req, res, result)
      } catch (failure) {
        sendFailure(res, failure)
      }
    }
}

interface Matched {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

function matchRoute(routes: readonly Route[], method: string, path: string): Matched | undefined {
  const parts = segmentsOf(path)
  // The server's own addresses, which `/:name` would match.
  if (path.startsWith('/__')) return undefined
  for (const route of routes) {
    const isMethod = route.method === method || (method === 'HEAD' && route.method === 'GET')
    const params = isMethod ? paramsOf(route.segments, parts) : undefined
    if (params) return { route, params }
  }
  return undefined
}

function paramsOf(
  segments: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const part = attempt(() => decodeURIComponent(parts[at] ?? ''))
    if (part === undefined || part === '') return undefined
    if (isParameter(segment)) params[segment.slice(1)] = part
    else if (segment.toLowerCase() !== part.toLowerCase()) return undefined
  }
  return params
}

/** Throws for a result that cannot be sent: an error of the handler, which then changes nothing. */
function checkSendable(called: string, result: unknown): void {
  try {
    if (result === undefined || JSON.stringify(result) !== undefined) return
  } catch (cause) {
    throw new TypeError(`${called} returned what cannot be sent as JSON: ${cause}`, { cause })
  }
  throw new TypeError(`${called} returned a ${typeof result}, which cannot be sent as JSON.`)
}

/** Sends what a handler returned: a value, `[status, body]`, a `Response`, or nothing. */
async function sendResult(req: Request, res: ExpressResponse, result: unknown): Promise<void> {
  if (res.headersSent) return
  if (result instanceof Response) return sendResponse(res, result)
  const [status, body] = isPair(result) ? result : [undefined, result]
  if (body !== undefined) return sendJson(res, status ?? 200, body)
  if (status === undefined && isGetOrHead(req)) return sendJson(res, 404, {})
  res.status(status ?? 204).end()
}

/** `[200]` may be a list of one number; `[204, undefined]` says what it is. */
function isPair(result: unknown): result is readonly [number, unknown] {
  if (!Array.isArray(result) || result.length !== 2) return false
  const [status] = result
  return Number.isInteger(status) && status >= 200 && status < 600
}

/** A response of `fetch` has a body that is decoded already. Cookies are set one by one. */
const LEFT_OUT: ReadonlySet<string> = new Set(['set-cookie', 'content-encoding', 'content-length'])

async function sendResponse(res: ExpressResponse, response: Response): Promise<void> {
  res.status(response.status)
  for (const [name, value] of response.headers) if (!LEFT_OUT.has(name)) res.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)
  const { body } = response
  if (!body) return void res.end()
  await pipeline(Readable.fromWeb(body), res).catch((error: NodeJS.ErrnoException) => {
    // The client disconnected.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

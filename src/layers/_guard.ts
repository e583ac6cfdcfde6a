import type { NextFunction, Request, Response } from 'express'
import { ConfigError, type ErrorBody } from '../catalogue/error-classes.ts'
import { type ErrorCode, errorBody, statusOf } from '../catalogue/errors.ts'
import { exposeTo } from '../http/headers.ts'
import { passAsPublic } from '../http/request-context.ts'
import { sendJson } from '../http/send-json.ts'
import { refuseUnread } from './body/body-error.ts'

/** Ends a request here, and records which layer refused it. */
export function refuse(
  res: Response,
  layer: string,
  code: ErrorCode,
  message: string,
  more?: Partial<ErrorBody>,
): void {
  send(res, layer, statusOf(code), errorBody(code, message, more))
}

function send(res: Response, layer: string, status: number, body: ErrorBody): void {
  // The surrounding app may not be Express.
  if (res.locals) res.locals.refusedBy = layer
  answer(res, status, body)
}

/** Refuses what was sent, even if more of it is still to come. */
export function refuseBody(
  req: Request,
  res: Response,
  layer: string,
  status: number,
  body: ErrorBody,
): void {
  const headers = status === 503 ? { 'Retry-After': '5' } : {}
  exposeTo(req, res, Object.keys(headers))
  if (req.complete) send(res.set(headers), layer, status, body)
  else refuseUnread(req, res, layer, status, body, headers)
}

/** Sends JSON that is never cached, whatever the surrounding app says. */
export function answer(res: Response, status: number, body: unknown): void {
  res.set({ 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '-1' })
  sendJson(res, status, body)
}

/**
 * Lets a request through that is for one of these paths or something below one, or that `admit` admits. Only a plainly
 * written URL can be public: two parsers may disagree about `/health/../products`, and the one behind the guard wins.
 */
export function guardExcept(
  routes: readonly string[],
  admit: (req: Request, res: Response) => boolean,
): (req: Request, res: Response, next: NextFunction) => void {
  const isPublic = (path: string) => routes.some((route) => path === route || path.startsWith(`${route}/`))
  return (req, res, next) => {
    const path = plainPath(req.originalUrl)
    if (path !== undefined && isPublic(path)) {
      passAsPublic(req, { isPublic, admit: () => admit(req, res) })
      next()
    } else if (admit(req, res)) next()
  }
}

/** The path, without query and trailing slash; undefined where parsers may disagree: `//`, hidden `..`, encoded `/`. */
export function plainPath(url: string): string | undefined {
  const path = PLAIN_URL.exec(url)?.[1]
  return path !== undefined && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** What RFC 3986 allows in a segment unencoded. */
const PLAIN = String.raw`[\w.~!$&'()*+,;=:@-]`
/** Any byte except control characters, `%`, `.`, `/`, `\` and the lead bytes of overlong UTF-8 that may encode those. */
const ENCODED = '%(?!0|1|2[5EF]|5C|7F|C[01])[0-9A-F]{2}'
/** Some parsers treat `..;x` as `..`. */
const DOTS = String.raw`\.{1,2}(?:[/?;%]|$)`
const PLAIN_URL = new RegExp(String.raw`^((?:/(?!${DOTS})(?:${PLAIN}|${ENCODED})+)*/?)(?:\?[!-"$-~]*)?$`, 'i')

/** Whether a request can only read, by its own method, by an override, and by the one before an override. */
export function isRead(req: Request): boolean {
  const original: unknown = Reflect.get(req, 'originalMethod')
  const override = String(req.headers['x-http-method-override'] ?? '')
  const methods = [req.method, ...override.split(','), typeof original === 'string' ? original : '']
  return methods.every((method) => READS.has(method.trim().toUpperCase()))
}

/** The empty string stands for a header without a method. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', ''])

/** The token of `Authorization: Bearer <token>`; undefined if there is none, or another scheme. */
export function bearerToken(req: Request): string | undefined {
  const header = req.headers.authorization
  return header?.startsWith(SCHEME) ? header.slice(SCHEME.length) : undefined
}

const SCHEME = 'Bearer '

export function checkOptions(layer: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigError(`${layer} must be an object with any of: ${known.join(', ')}`)
  }
  const stranger = Object.keys(options).find((key) => !known.includes(key))
  if (stranger !== undefined) {
    throw new ConfigError(`${layer}.${stranger} is not an option; the options are: ${known.join(', ')}`)
  }
}

/** The public routes of a layer, checked so that a request can match each of them. */
export function checkRoutes(layer: string, routes: unknown): readonly string[] {
  if (!Array.isArray(routes)) {
    throw new ConfigError(`${layer}.publicRoutes must be a list of paths such as ["/health"]`)
  }
  return routes.map((route: unknown) => {
    if (typeof route === 'string' && PLAIN_ROUTE.test(route)) return route
    throw new ConfigError(
      `${layer}.publicRoutes: ${JSON.stringify(route)} is not a plain path; write it like "/public/products": ` +
        'letters, digits, ".", "_", "~" and "-", no "/" at the end, no "*"',
    )
  })
}

const PLAIN_ROUTE = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+)$/

export type Log = (line: string) => void

export function checkLog(layer: string, log: unknown): Log {
  if (log === undefined) return (line) => console.warn(line)
  if (typeof log !== 'function') throw new ConfigError(`${layer}.log must be a function that takes one line`)
  return (line) => log(line)
}

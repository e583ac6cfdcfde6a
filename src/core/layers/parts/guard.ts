import type { NextFunction, Request, Response } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../../kernel/catalogue/errors.ts'
import { closeWhenRead } from '../../kernel/http/close-when-read.ts'
import { publicPasses } from '../../kernel/http/request-context.ts'
import { ownStatus, sendJson, shapedError } from '../../kernel/http/send-json.ts'
import type { BodyError } from './read-body.ts'

/** Ends a request here, and records which layer refused it. */
export function refuseRequest(
  res: Response,
  layer: string,
  code: ErrorCode,
  message: string,
  more?: Partial<ErrorBody>,
): void {
  recordRefusal(res, layer)
  const status = ownStatus(res, statusOf(code), code)
  sendUncached(res, status, shapedError(res, status, errorBody(code, message, more)))
}

/** Refuses a body, maybe before all of it has arrived: the connection closes then. */
export function refuseBody(req: Request, res: Response, layer: string, { status, body }: BodyError): void {
  recordRefusal(res, layer)
  if (!req.complete) {
    closeWhenRead(req)
    res.set('Connection', 'close')
  }
  sendUncached(res, status, shapedError(res, status, body))
}

/** The surrounding app may not be Express, and then has no `locals`. */
export function recordRefusal(res: Response, layer: string): void {
  if (res.locals) res.locals.refusedBy = layer
}

/** Sends JSON that is never cached, whatever the surrounding app says. */
export function sendUncached(res: Response, status: number, body: unknown): void {
  res.set(NO_CACHE)
  sendJson(res, status, body)
}

const NO_CACHE = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '-1' } as const

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
      const pass = { isPublic, admit: () => admit(req, res) }
      publicPasses.set(req, [...(publicPasses.get(req) ?? []), pass])
      next()
    } else if (admit(req, res)) next()
  }
}

/** The path, without query and trailing slash; undefined where parsers may disagree: `//`, hidden `..`, encoded `/`. */
export function plainPath(url: string): string | undefined {
  const path = PLAIN_URL.exec(url)?.[1]
  return path !== undefined && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

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

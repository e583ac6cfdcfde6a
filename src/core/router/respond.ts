import type { Request, Response } from 'express'
import { isRefusal, StorageError } from '../kernel/catalogue/error-classes.ts'
import { type ErrorBody, errorBody, statusOf } from '../kernel/catalogue/errors.ts'
import { addExposed, EXPOSED_HEADERS, setRetryAfter } from '../kernel/http/headers.ts'
import { ownStatus, sendJson, shapedError, typedByShape } from '../kernel/http/send-json.ts'
import { JobError } from '../kernel/util/job-thread.ts'
import { type PageParameter, pageLinks } from './links.ts'
import { writeCursor } from './query/cursors.ts'
import type { ListHead } from './read.ts'
import { MALFORMED_URL, RequestError } from './request-error.ts'

/** json-server lists the headers of this response; for a browser on another origin we list all that we ever send. */
export function exposeHeaders(req: Request, res: Response, ...names: readonly string[]): void {
  const exposed = req.headers.origin === undefined ? names : EXPOSED_HEADERS
  if (exposed.length > 0) addExposed(res, exposed)
}

export function setListHeaders(
  req: Request,
  res: Response,
  { collection, window, total, page, range, cursor }: ListHead,
  parameter?: PageParameter,
  cursorName = '_cursor',
): void {
  res.setHeader('X-Total-Count', total)
  if (page) exposeHeaders(req, res, 'X-Total-Count', 'Link')
  else if (window.kind === 'all') exposeHeaders(req, res)
  else exposeHeaders(req, res, 'X-Total-Count')

  if (cursor && window.kind === 'cursor') {
    const text = writeCursor(window.question, cursor)
    const { next = '' } = pageLinks(req, { next: text }, { name: cursorName, from: 1 })
    res.setHeader('X-Next-Cursor', text)
    if (next.length <= LONGEST_HEADER) res.links({ next })
    addExposed(res, ['X-Next-Cursor', 'Link'])
  }
  if (page?.first !== undefined) {
    const links = pageLinks(req, page, parameter)
    let size = 0
    for (const url of Object.values(links)) size += url.length + 20
    if (size <= LONGEST_HEADER) res.links(links)
    // Of a long URL, the next page alone, or none.
    else if (links.next !== undefined && links.next.length + 20 <= LONGEST_HEADER)
      res.links({ next: links.next })
  }
  if (range) {
    const part = range.end > range.start ? `${range.start}-${range.end - 1}` : '*'
    const name = /^[\x21-\x7e]+$/.test(collection) ? collection : encodeURIComponent(collection)
    res.setHeader('Content-Range', `${name} ${part}/${total}`)
  }
}

/** Node's own client refuses a response with more than 16 KB of headers. */
export const LONGEST_HEADER = 8 * 1024

/** The Express setting with a logger for failures, instead of the console. */
export const FAULT_LOG = 'fault log'

/** Sends a failure as JSON. Details of unexpected errors go to the log only. */
export function sendFailure(res: Response, error: unknown): void {
  const [ours, body] = describeError(error)
  if (body === BUSY) setRetryAfter(res.req, res)
  else if ((ours === 500 || ours === 503) && !isRefusal(error)) {
    const log: unknown = res.app?.get(FAULT_LOG)
    const cause = ours === 503 && error instanceof Error ? (error.cause ?? error) : error
    const line = isUnavailable(error) ? unavailableLine(error, cause) : logLine(cause)
    if (typeof log === 'function') log(line, cause)
    else console.error(!isUnavailable(error) && isBug(cause) ? cause : line)
  }
  if (res.headersSent) {
    res.destroy()
    return
  }
  const status = ownStatus(res, ours, body.code)
  const shaped = shapedError(res, status, body)
  if (typedByShape.has(res)) sendJson(res, status, shaped)
  else res.status(status).json(shaped)
}

function logLine(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return isBug(cause) ? (cause.stack ?? cause.message) : cause.message
}

/** The database is unreachable: one line per request, without the driver's stack. */
function unavailableLine(error: StorageError, cause: unknown): string {
  if (cause === error) return error.message
  const [what = ''] = error.message.split(/, and nothing was changed|\. /, 1)
  const [why = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)
  return `${what}: ${why}`
}

function isUnavailable(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE'
}

/** A bug, whose stack is worth logging. For a full disk or a broken file, the message is enough. */
function isBug(cause: unknown): boolean {
  return !(cause instanceof StorageError || (cause instanceof Error && 'syscall' in cause))
}

function describeError(error: unknown): readonly [number, ErrorBody] {
  if (error instanceof StorageError || error instanceof RequestError) {
    const { code, message } = error
    const errors = 'errors' in error ? error.errors : undefined
    return [statusOf(code), errorBody(code, message, errors && { errors })]
  }
  if (isRefusal(error)) {
    const { status, code, message, extra } = error
    return [status, { error: NAMES[status] ?? 'Request refused', message, code, ...extra }]
  }
  if (error instanceof JobError && error.fault !== 'died') return [503, BUSY]
  return describeHttpError(error) ?? [500, UNFORESEEN]
}

const BUSY = errorBody(
  'SERVER_BUSY',
  'Too many requests wait for a long computation; try again in a few seconds.',
)

const UNFORESEEN = errorBody('INTERNAL_ERROR', 'Something went wrong; see the server log.')

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Body too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
}

function describeHttpError(error: unknown): readonly [number, ErrorBody] | undefined {
  if (!(error instanceof Error)) return undefined
  const status: unknown = Reflect.get(error, 'status') ?? Reflect.get(error, 'statusCode')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499)
    return undefined
  if (error instanceof URIError) return [status, MALFORMED_BODY]
  const name = NAMES[status] ?? 'Request refused'
  const message = Reflect.get(error, 'expose') === false ? name : error.message || name
  return [status, { error: name, message, code: name.toUpperCase().replaceAll(' ', '_') }]
}

const MALFORMED_BODY = errorBody('MALFORMED_URL', MALFORMED_URL)

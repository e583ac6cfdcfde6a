import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { parseForm } from './_form.ts'
import { checkLog, checkOptions, type Log, refuse } from './_guard.ts'
import {
  BodyError,
  invalidBody,
  isKnownToBeBounded,
  MAX_DEPTH,
  MAX_KEYS,
  parseJsonBody,
} from './_json-body.ts'
import { readBody } from './_read-body.ts'

export { isKnownToBeBounded, MAX_DEPTH, MAX_KEYS }

export interface BodyParserOptions {
  /**
   * Gets the warning that JSON came under another name, once for each such name.
   * @default console.warn
   */
  log?: Log
  /**
   * Nobody behind it reads bodies, so in a write none is left unread: what is no JSON is refused.
   * @default false
   */
  isLast?: boolean
}

/**
 * Reads JSON and form bodies into `req.body`, which is `{}` when nothing was sent. JSON that comes as
 * `text/plain`, as a form or without a type is read as the JSON it is, with one warning for each kind.
 * Other types are left unread for whoever knows them, unless this `isLast`; so is a body that somebody has read.
 */
export function createBodyParser(options: BodyParserOptions = {}): RequestHandler {
  checkOptions('bodyParser', options, ['log', 'isLast'])
  const warn = warnOnce(checkLog('bodyParser', options.log))
  const { isLast = false } = options
  const read = readBody()

  return function bodyParser(req, res, next) {
    const kind = hasBody(req) && isUnread(req) ? kindOf(req) : undefined
    if (kind === undefined || (kind === 'other' && !(isLast && isWrite(req)))) {
      req.body ??= {}
      next()
      return
    }
    req.body = undefined
    // How parsers of Express 4 tell each other that there is nothing left to read.
    Object.assign(req, { _body: true })
    const done = (body: object): void => {
      req.body = body
      next()
    }
    const fail = (error: unknown): void => {
      if (!(error instanceof BodyError)) next(error)
      else if (isNeeded(req, error)) refuse(res, 'body-parser', error.status, error.body)
      else done({})
    }
    read(req, res, (failure?: unknown) => {
      try {
        if (failure !== undefined) throw asBodyError(failure)
        const body = parse(req, kind, warn)
        if (body instanceof Promise) void body.then(done, fail)
        else done(body)
      } catch (error) {
        fail(error)
      }
    })
  }
}

/** json-server's `bodyParser`: what `app.use()` takes. Running it twice does no harm. */
export const bodyParser: RequestHandler[] = [createBodyParser()]

/** As many as json-server takes; more are an attack or a mistake. */
const MAX_FORM_FIELDS = 1000

type Kind = 'json' | 'form' | 'text' | 'untyped' | 'other'

const CALLED: Readonly<Record<Exclude<Kind, 'json'>, string>> = {
  form: 'as application/x-www-form-urlencoded',
  text: 'as text/plain',
  untyped: 'without a Content-Type',
  other: 'as another type',
}

/** Most requests bring no body, and cost nothing here. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Express 4's parsers leave `{}` behind even where they did not read; anything else is somebody's work. */
function isUnread(req: Request): boolean {
  const body: unknown = req.body
  if (req.readableDidRead) return false
  // Inherited from an app that gives writes something to write on before they are read.
  if (!Object.hasOwn(req, 'body')) return true
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
}

function kindOf(req: Request): Kind {
  const type = (req.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()
  if (type === '') return 'untyped'
  if (/^application\/(?:[\w.!#$&^-]+\+)?json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'text/plain' ? 'text' : 'other'
}

function parse(
  req: Request,
  kind: Kind,
  warn: (kind: keyof typeof CALLED) => void,
): object | Promise<object> {
  const text = decode(req)
  if (text.trim() === '') return {}
  if (kind === 'json') return parseJsonBody(text)
  if (looksLikeJson(text)) {
    warn(kind)
    return parseJsonBody(text)
  }
  if (kind === 'form') {
    const fields = parseForm(text, MAX_FORM_FIELDS)
    if (fields === undefined)
      throw tooLarge(`The form has more than ${MAX_FORM_FIELDS} fields; send JSON instead.`)
    return fields
  }
  if (kind === 'other') {
    throw invalidBody('A body of this Content-Type is not read here; send application/json.', 415)
  }
  throw invalidBody('The body is not a JSON object; send one, with Content-Type: application/json.')
}

function decode(req: Request): string {
  const body: unknown = req.body
  if (!Buffer.isBuffer(body)) throw unreadable()
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  try {
    if (/^utf-8$/i.test(charset)) return UTF_8.decode(body)
    if (/^utf-/i.test(charset)) return new TextDecoder(charset).decode(body)
  } catch {
    // Not a charset that Node knows: answered as any other.
  }
  throw invalidBody('The charset of the body is not supported; send UTF-8.', 415)
}

const UTF_8 = new TextDecoder()

/** Also `[0]=a` starts with a bracket, and is a form. */
function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{|\[(?!\w*\]=))/.test(text)
}

/** Nothing reads the body of a GET or DELETE, so only one too large to read is a reason to refuse it. */
function isNeeded(req: Request, { status }: BodyError): boolean {
  return status === 413 || isWrite(req)
}

function isWrite(req: Request): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(req.method)
}

function asBodyError(failure: unknown): unknown {
  if (!(failure instanceof Error)) return failure
  const type: unknown = Reflect.get(failure, 'type')
  if (type === 'entity.too.large') return tooLarge('The body is larger than 10 MB; send less at a time.')
  if (type === 'encoding.unsupported') {
    return invalidBody('The Content-Encoding is not supported; send gzip, deflate, br or none.', 415)
  }
  return unreadable()
}

function unreadable(): BodyError {
  return invalidBody('The body could not be read: it ended early, or is not compressed as its header says.')
}

function tooLarge(message: string): BodyError {
  return new BodyError(413, 'Body too large', 'BODY_TOO_LARGE', message)
}

function warnOnce(log: Log): (kind: keyof typeof CALLED) => void {
  const warned = new Set<string>()
  return (kind) => {
    if (warned.has(kind)) return
    warned.add(kind)
    log(`A JSON body came ${CALLED[kind]} and was read as JSON; send Content-Type: application/json instead.`)
  }
}

import type { Request, RequestHandler, Response } from 'express'
import { MAX_BYTES } from '../kernel/json/limits.ts'
import { refuseBody } from './parts/guard.ts'
import { checkOptions } from './parts/option-types.ts'
import { type Log, logOnce, warn } from './parts/options.ts'
import { decodeBody, parseForm, parseJsonBody } from './parts/parse-body.ts'
import { BodyError, hasBody, invalidBody, isUnread, readBody, tooLarge } from './parts/read-body.ts'

export interface BodyParserOptions {
  /**
   * Receives the warning that JSON arrived under another content type, once per type.
   * @default console.warn
   */
  log?: Log
  /** Nothing after it reads bodies, so a write whose body is not JSON or a form is refused. @default false */
  isLast?: boolean
  /** Any JSON value is a body, and text is one, too. @default false */
  takesAny?: boolean
}

/** Parses JSON (even under another type, with a warning) and forms into `req.body`: `{}` if nothing was sent. */
export function createBodyParser(options: BodyParserOptions = {}): RequestHandler {
  const parsing = bodyParsing(options)

  return async function bodyParser(req, res, next) {
    if (await takeBody(req, res, parsing)) next()
  }
}

export type BodyParsing = Readonly<Required<BodyParserOptions>>

export function bodyParsing(options: BodyParserOptions): BodyParsing {
  checkOptions('bodyParser', options)
  const { log = warn, isLast = false, takesAny = false } = options
  return { log: logOnce(log), isLast, takesAny }
}

/** Reads and parses a body into `req.body`. False if it was refused: then the response is sent. */
export async function takeBody(req: Request, res: Response, parsing: BodyParsing): Promise<boolean> {
  const { isLast, takesAny } = parsing
  const kind = kindOf(req)
  const isStillUnread = isUnread(req)
  const given = !isStillUnread && (isLast || takesAny) ? givenByHost(req, kind) : undefined
  const isThere = hasBody(req) && (isStillUnread || given !== undefined)
  if (!isThere || (kind === 'other' && !(isLast && isWrite(req)))) {
    req.body ??= {}
    return true
  }
  req.body = undefined
  parsed.add(req)
  // The mark of Express 4 parsers: there is nothing left to read.
  Object.assign(req, { _body: true })
  try {
    const body = given ?? (await readBody(req, MAX_BYTES))
    // The last one passes none on.
    if (!isLast) received.set(req, body)
    req.body = await parse(req, body, kind, parsing)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    // Nothing reads the body of a GET or DELETE.
    if (isWrite(req) || error.status === 413) {
      refuseBody(req, res, 'body-parser', error)
      return false
    }
    req.body = {}
  }
  return true
}

const received = new WeakMap<Request, Buffer | string>()

/** The bytes of a body that was read before, unpacked; undefined where nothing has read it. */
export function bodyAsSent(req: Request): Buffer | undefined {
  if (!received.has(req) && isUnread(req)) return undefined
  const body: unknown = received.get(req) ?? req.body
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
}

/** Requests whose body was parsed here: it may be a string. */
const parsed = new WeakSet<Request>()

/** A body that another app has read as text or bytes before this one, as Next does without a content type. */
function givenByHost(req: Request, kind: Kind): string | Buffer | undefined {
  const body: unknown = req.body
  if (parsed.has(req) || kind === 'other') return undefined
  if (Buffer.isBuffer(body)) return body
  // Such an app may have parsed `"text"`.
  return typeof body === 'string' && (kind !== 'json' || /^\s*[{[]/.test(body)) ? body : undefined
}

/** Handlers for `app.use()`. Named, so that our types need no package that only Express's types bring. */
export interface Handlers extends Array<RequestHandler> {}

/** json-server's `bodyParser`. Running it twice does no harm. */
export const bodyParser: Handlers = [createBodyParser()]

/** As many as json-server accepts; more are an attack or a mistake. */
const MAX_FORM_FIELDS = 1000

type Kind = 'json' | 'form' | 'text' | 'untyped' | 'other'

const CALLED: Readonly<Record<Exclude<Kind, 'json'>, string>> = {
  form: 'as application/x-www-form-urlencoded',
  text: 'as text/plain',
  untyped: 'without a Content-Type',
  other: 'as another type',
}

function kindOf(req: Request): Kind {
  const type = (req.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()
  if (type === '') return 'untyped'
  if (/^application\/(?:[\w.!#$&^-]+\+)?json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'text/plain' ? 'text' : 'other'
}

async function parse(
  req: Request,
  body: Buffer | string,
  kind: Kind,
  { log, takesAny }: BodyParsing,
): Promise<unknown> {
  const text = typeof body === 'string' ? body : decodeBody(body, req.headers['content-type'])
  if (text === undefined) throw invalidBody('The charset of the body is not supported; send UTF-8.', 415)
  if (text.trim() === '') return {}
  if (kind === 'json') return parseJsonBody(text, takesAny)
  // A form may start with a bracket too: `[0]=a`.
  if (/^\s*(?:\{|\[(?!\w*\]=))/.test(text)) {
    log(
      `A JSON body arrived ${CALLED[kind]} and was read as JSON; send Content-Type: application/json instead.`,
    )
    sentAsJson.add(req)
    return parseJsonBody(text)
  }
  if (kind === 'form') {
    const fields = parseForm(text, MAX_FORM_FIELDS)
    if (fields === undefined)
      throw tooLarge(`The form has more than ${MAX_FORM_FIELDS} fields; send JSON instead.`)
    return fields
  }
  if (kind === 'other') {
    throw invalidBody(`This Content-Type is not supported; ${instead(req)}.`, 415)
  }
  if (takesAny) return text
  throw invalidBody('The body is not a JSON object; send one, with Content-Type: application/json.')
}

function instead({ headers }: Request): string {
  const isForm = /^\s*multipart\//i.test(headers['content-type'] ?? '')
  return isForm ? 'send application/json, or start the server with --uploads' : 'send application/json'
}

/** Requests whose body is JSON, though their type says otherwise. Not the bodies: another layer may replace those. */
const sentAsJson = new WeakSet<Request>()

/** Whether the body is a form, so that all its values are text. Another parser may have read it. */
export function isFormBody(req: Request): boolean {
  return kindOf(req) === 'form' && !sentAsJson.has(req)
}

function isWrite(req: Request): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(req.method)
}

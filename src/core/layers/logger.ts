import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import morgan from 'morgan'
import { mounts } from '../kernel/http/request-context.ts'
import { worldOf } from '../kernel/http/world.ts'
import { maskUrl } from './parts/mask-secrets.ts'
import { checkOptions } from './parts/option-types.ts'

export interface LoggerOptions {
  /**
   * Receives the lines, several joined when many requests end together, without a trailing newline.
   * @default console.log
   */
  print?: Print
}

/**
 * Logs each finished request: time, method, URL, status, milliseconds, client. Secrets in the URL are masked.
 * @example
 * 2026-03-01T09:30:00.000Z GET /products?_page=1 200 1.2 ms 127.0.0.1
 */
export function logger(options: LoggerOptions = {}): RequestLog {
  checkOptions('logger', options)
  const { print = console.log } = options
  return logEach(print, function logger(req, res, milliseconds) {
    const answered = `${statusOf(req, res)} ${milliseconds.toFixed(1)} ms`
    const client = printable(tokens['remote-addr'](req, res) ?? '-')
    return `${worldOf(req).clock.iso()} ${req.method} ${safeUrl(req)} ${answered} ${client}`
  })
}

/** json-server's colored line (morgan's `dev`), none under `NODE_ENV=test` or for `/favicon.ico`. Secrets are masked. */
export function devLog(options: LoggerOptions = {}): RequestLog {
  checkOptions('devLog', options)
  // Read once: accessing the environment costs more than the rest of the line.
  const { NODE_ENV, NO_COLOR } = process.env
  const show = NO_COLOR ? (status: string) => status : color
  const fine = show('200')
  return logEach(options.print ?? console.log, function devLog(req, res, milliseconds, length) {
    if (NODE_ENV === 'test') return undefined
    if (req.url.startsWith('/favicon.ico') && req.path === '/favicon.ico') return undefined
    // Fast path for nearly all lines: logging must not cost a tenth of the request.
    const isFine = res.statusCode === 200 && res.headersSent
    const status = isFine ? fine : show(statusOf(req, res))
    return `${req.method} ${safeUrl(req)} ${status} ${milliseconds.toFixed(3)} ms - ${length ?? res.getHeader('Content-Length') ?? '-'}`
  })
}

const COLORS: Readonly<Record<string, number>> = { 5: 31, 4: 33, 3: 36, 2: 32 }

function color(status: string): string {
  const code = COLORS[status.charAt(0)]
  return code === undefined ? status : `\x1b[${code}m${status}\x1b[0m`
}

export type Print = (lines: string) => void

/** morgan's tokens. They are functions on morgan itself, which its types do not declare. */
const tokens = morgan as unknown as Record<
  'status' | 'remote-addr',
  (req: Request, res: Response) => string | undefined
>

function statusOf(req: Request, res: Response): string {
  return tokens.status(req, res) ?? '-'
}

/** The URL that the client sent, safe to log: secrets masked, control characters escaped. */
export function safeUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return printable(maskUrl(`${mounts.get(req)?.path ?? ''}${req.originalUrl ?? req.url ?? ''}`))
}

/** Escapes control characters, so that no input can forge a line or color the terminal. */
function printable(text: string): string {
  if (!IS_CONTROL.test(text)) return text
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The log line of a request, or none. Takes the `length` of a response sent in one go, whose headers Node does not keep. */
type Describe = (req: Request, res: Response, milliseconds: number, length?: number) => string | undefined

export interface RequestLog extends RequestHandler {
  /** Logs a request that was answered before this layer. */
  note(req: Request, res: Response, milliseconds: number, length: number): void
}

/** Prints a line once a response is closed. One listener: to hook into the headers, as morgan does, slows every response. */
function logEach(print: Print, describe: Describe): RequestLog {
  /** Printed together a moment later: one write for many requests, off their path. */
  let waiting: string[] = []

  function note(req: Request, res: Response, milliseconds: number, length?: number): void {
    const line = describe(req, res, milliseconds, length)
    // The timer keeps the process alive until the last line is printed.
    if (line !== undefined && waiting.push(line) === 1) setTimeout(flush, BATCH_MS)
  }
  function flush(): void {
    const lines = waiting
    waiting = []
    print(lines.join('\n'))
  }
  function log(req: Request, res: Response, next: NextFunction): void {
    const start = performance.now()
    const finish = () => note(req, res, performance.now() - start)
    // Accessed now, because the socket caches it: it is unknown after the client disconnects.
    void req.socket?.remoteAddress
    // A response closes once, so the listener need not be removed. The client may already be gone.
    if (res.closed) finish()
    else res.on('close', finish)
    next()
  }
  return Object.assign(log, { note })
}

const BATCH_MS = 20

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the log.
const IS_CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const CONTROL = new RegExp(IS_CONTROL, 'g')

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
export function logger(options: LoggerOptions = {}): LogLayer {
  checkOptions('logger', options)
  const { print = console.log } = options
  return logEach(print, function logger(req, _res, { status, milliseconds }) {
    const answered = `${status} ${milliseconds.toFixed(1)} ms`
    const client = (remoteAddress(req) ?? '-').replace(CONTROL, escapeControl)
    return `${worldOf(req).clock.iso()} ${req.method} ${safeUrl(req)} ${answered} ${client}`
  })
}

/** json-server's colored line (morgan's `dev`), none under `NODE_ENV=test` or for `/favicon.ico`. Secrets are masked. */
export function devLog(options: LoggerOptions = {}): LogLayer {
  checkOptions('devLog', options)
  // Read once: accessing the environment costs more than the rest of the line.
  const { NODE_ENV, NO_COLOR } = process.env
  return logEach(options.print ?? console.log, function devLog(req, res, { status, milliseconds, length }) {
    if (NODE_ENV === 'test') return undefined
    if (req.url.startsWith('/favicon.ico') && req.path === '/favicon.ico') return undefined
    const color = NO_COLOR ? undefined : COLORS[status.charAt(0)]
    const shown = color === undefined ? status : `\x1b[${color}m${status}\x1b[0m`
    return `${req.method} ${safeUrl(req)} ${shown} ${milliseconds.toFixed(3)} ms - ${length ?? res.getHeader('Content-Length') ?? '-'}`
  })
}

const COLORS: Readonly<Record<string, number>> = { 5: 31, 4: 33, 3: 36, 2: 32 }

export type Print = (lines: string) => void

/** A token of morgan's. They are functions on morgan itself, which its types do not declare. */
const { 'remote-addr': remoteAddress } = morgan as unknown as Record<
  'remote-addr',
  (req: Request) => string | undefined
>

/** The URL that the client sent, safe to log: secrets masked, control characters escaped. */
export function safeUrl(req: IncomingMessage & { originalUrl?: string }): string {
  const url = maskUrl(`${mounts.get(req)?.path ?? ''}${req.originalUrl ?? req.url ?? ''}`)
  return url.replace(CONTROL, escapeControl)
}

/** So that no input can forge a line or color the terminal. */
function escapeControl(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

interface Answered {
  /** `-` if the client left before the response. */
  readonly status: string
  readonly milliseconds: number
  /** Of a response sent in one go, whose headers Node does not keep. */
  readonly length: number | undefined
}

/** The log line of a request, or none. */
type Describe = (req: Request, res: Response, answered: Answered) => string | undefined

export interface LogLayer extends RequestHandler {
  /** Logs a request that was answered before this layer. @param start by `performance.now()` */
  note(req: Request, res: Response, start: number, length: number): void
}

/** Prints a line once a response is closed. One listener: to hook into the headers, as morgan does, slows every response. */
function logEach(print: Print, describe: Describe): LogLayer {
  /** Printed together a moment later: one write for many requests, off their path. */
  let waiting: string[] = []

  function note(req: Request, res: Response, start: number, length?: number): void {
    const status = res.headersSent ? String(res.statusCode) : '-'
    const line = describe(req, res, { status, milliseconds: performance.now() - start, length })
    // The timer keeps the process alive until the last line is printed.
    if (line !== undefined && waiting.push(line) === 1) setTimeout(flush, BATCH_MS)
  }
  function flush(): void {
    const lines = waiting
    waiting = []
    print(lines.join('\n'))
  }
  function log(req: Request, res: Response, next: NextFunction): void {
    const finish = note.bind(undefined, req, res, performance.now(), undefined)
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
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import morgan from 'morgan'
import { ConfigError } from '../../errors.ts'
import { maskUrl } from '../mask/mask-text.ts'

/** Takes what is to be logged: one or more lines, with no newline at the end. */
export type Print = (lines: string) => void

/** morgan's words for parts of a line. They are functions on morgan itself, which its types do not tell. */
const tokens = morgan as unknown as Record<
  'status' | 'remote-addr',
  (req: Request, res: Response) => string | undefined
>

/** `200`, or `-` where no answer has left. */
export function statusOf(req: Request, res: Response): string {
  return tokens.status(req, res) ?? '-'
}

/** The address that a request came from. */
export function clientOf(req: Request, res: Response): string {
  return printable(tokens['remote-addr'](req, res) ?? '-')
}

/** Where a layer's lines go: the given function, or the console. */
export function checkPrint(layer: string, print: Print = console.log): Print {
  if (typeof print === 'function') return print
  throw new ConfigError(`${layer}.print must be a function that takes lines`)
}

/** The URL that the client sent, fit to be kept: secrets masked, nothing in it that moves a terminal. */
export function safeUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return printable(maskUrl(req.originalUrl ?? req.url ?? ''))
}

/** Spells out control characters, so that no text can forge a line or colour the terminal. */
export function printable(text: string): string {
  if (!IS_CONTROL.test(text)) return text
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/**
 * A request that is done, as a line; undefined where it is not worth one.
 * @param length of the answer, where its headers cannot be asked for it: sent all at once, Node does not keep them
 */
export type Describe = (
  req: Request,
  res: Response,
  milliseconds: number,
  length?: number,
) => string | undefined

/** A layer that logs what passes through it. */
export interface RequestLog extends RequestHandler {
  /** Logs a request that was answered before it came so far. */
  note(req: Request, res: Response, milliseconds: number, length: number): void
}

/**
 * Prints a line for each request once its answer was sent, or nobody is left to send it to. Waits for that with one
 * listener: what hooks into the headers of a response, as morgan does, slows down every response there is.
 */
export function logEach(print: Print, describe: Describe): RequestLog {
  const write = printInBatches(print)

  function note(req: Request, res: Response, milliseconds: number, length?: number): void {
    const line = describe(req, res, milliseconds, length)
    if (line !== undefined) write(line)
  }
  function log(req: Request, res: Response, next: NextFunction): void {
    const start = performance.now()
    const finish = () => note(req, res, performance.now() - start)
    // Asked for now, a connection still knows it when the client has hung up.
    void req.socket?.remoteAddress
    // A response closes once, and is forgotten with its listeners. The client may have left before it came so far.
    if (res.closed) finish()
    else res.on('close', finish)
    next()
  }
  return Object.assign(log, { note })
}

/** Gathers lines and prints them together a moment later: one write for many requests, and none in their way. */
function printInBatches(print: Print): (line: string) => void {
  let waiting: string[] = []
  function flush(): void {
    const lines = waiting
    waiting = []
    print(lines.join('\n'))
  }
  return function write(line) {
    // The timer keeps the process up until the last line is out.
    if (waiting.push(line) === 1) setTimeout(flush, BATCH_MS)
  }
}

/** Too short for an eye at the terminal. */
const BATCH_MS = 20

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the log.
const IS_CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const CONTROL = new RegExp(IS_CONTROL, 'g')

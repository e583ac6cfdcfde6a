import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import morgan from 'morgan'
import { ConfigError } from '../errors.ts'
import { maskUrl } from './_secrets.ts'

/** Takes what is to be logged: one or more lines, with no newline at the end. */
export type Print = (lines: string) => void

type Token = (req: Request, res: Response) => string | undefined

/** morgan's words for the parts of a line. They are functions on morgan itself, which its types do not tell. */
export const tokens = morgan as unknown as Readonly<Record<'status' | 'remote-addr', Token>>

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

/** A request that is done, as a line; undefined where it is not worth one. */
export type Describe = (req: Request, res: Response, milliseconds: number) => string | undefined

/**
 * Prints a line for each request once its answer was sent, or nobody is left to send it to. Waits for that with one
 * listener: what hooks into the headers of a response, as morgan does, slows down every response there is.
 */
export function logEach(print: Print, describe: Describe): RequestHandler {
  const write = printInBatches(print)
  return function log(req, res, next) {
    const start = performance.now()
    // A response closes once, and is forgotten with its listeners.
    res.on('close', () => {
      const line = describe(req, res, performance.now() - start)
      if (line !== undefined) write(line)
    })
    next()
  }
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

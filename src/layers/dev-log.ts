import type { Request, RequestHandler, Response } from 'express'
import morgan from 'morgan'
import { checkOptions } from './_guard.ts'
import { checkPrint, type Print, printInBatches, safeUrl } from './_log-line.ts'

export interface DevLogOptions {
  /**
   * Takes the lines, several at once when many requests end together, with no newline at the end.
   * @default console.log
   */
  print?: Print
}

/**
 * json-server's one coloured line a request (morgan's `dev`), silent under `NODE_ENV=test` and for the
 * browser's own `/favicon.ico`. Secrets in the URL are masked.
 */
export function devLog(options: DevLogOptions = {}): RequestHandler {
  checkOptions('devLog', options, ['print'])
  // Asked once: reading the environment costs more than the rest of the line.
  const { NODE_ENV, NO_COLOR } = process.env
  const log = morgan<Request, Response>(lineFormat(!NO_COLOR), {
    stream: printInBatches(checkPrint('devLog', options.print)),
    skip: (req) => req.path === '/favicon.ico',
  })

  return function devLog(req, res, next) {
    if (NODE_ENV === 'test') next()
    else log(req, res, next)
  }
}

type Tokens = morgan.TokenIndexer<Request, Response>

function lineFormat(isColoured: boolean) {
  return function line(tokens: Tokens, req: Request, res: Response): string {
    const status = tokens.status?.(req, res) ?? '-'
    const milliseconds = tokens['response-time']?.(req, res) ?? '-'
    const length = tokens.res?.(req, res, 'content-length') ?? '-'
    return `${req.method} ${safeUrl(req)} ${isColoured ? colour(status) : status} ${milliseconds} ms - ${length}`
  }
}

/** Red, yellow, cyan and green, as morgan has them. */
const COLOURS: Readonly<Record<string, number>> = { 5: 31, 4: 33, 3: 36, 2: 32 }

function colour(status: string): string {
  const code = COLOURS[status.charAt(0)]
  return code === undefined ? status : `\x1b[${code}m${status}\x1b[0m`
}

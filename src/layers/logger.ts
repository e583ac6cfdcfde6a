import type { Request, RequestHandler, Response } from 'express'
import morgan from 'morgan'
import { checkOptions } from './_guard.ts'
import { checkPrint, type Print, printable, printInBatches, safeUrl } from './_log-line.ts'

export interface LoggerOptions {
  /**
   * Takes the lines, several at once when many requests end together, with no newline at the end.
   * @default console.log
   */
  print?: Print
}

/**
 * Logs each finished request: time, method, URL, status, milliseconds, client. Secrets in the URL are masked.
 * @example
 * 2026-03-01T09:30:00.000Z GET /products?_page=1 200 1.2 ms 127.0.0.1
 */
export function logger(options: LoggerOptions = {}): RequestHandler {
  checkOptions('logger', options, ['print'])
  const log = morgan<Request, Response>(line, { stream: printInBatches(checkPrint('logger', options.print)) })

  return function logger(req, res, next) {
    log(req, res, next)
  }
}

function line(tokens: morgan.TokenIndexer<Request, Response>, req: Request, res: Response): string {
  const milliseconds = tokens['response-time']?.(req, res, 1) ?? '-'
  const status = tokens.status?.(req, res) ?? '-'
  const client = tokens['remote-addr']?.(req, res) ?? '-'
  return `${new Date().toISOString()} ${req.method} ${safeUrl(req)} ${status} ${milliseconds} ms ${printable(client)}`
}

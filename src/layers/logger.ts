import type { RequestHandler } from 'express'
import { checkOptions } from './_guard.ts'
import { checkPrint, logEach, type Print, printable, safeUrl, tokens } from './_log-line.ts'

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
  const log = logEach(checkPrint('logger', options.print), (req, res, milliseconds) => {
    const status = tokens.status(req, res) ?? '-'
    const client = tokens['remote-addr'](req, res) ?? '-'
    return `${new Date().toISOString()} ${req.method} ${safeUrl(req)} ${status} ${milliseconds.toFixed(1)} ms ${printable(client)}`
  })

  return function logger(req, res, next) {
    log(req, res, next)
  }
}

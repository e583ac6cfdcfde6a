import { type ClockOf, REAL_TIME } from '../../http/request-context.ts'
import { checkOptions } from '../_guard.ts'
import { checkPrint, clientOf, logEach, type Print, type RequestLog, safeUrl, statusOf } from './_log-line.ts'

export interface LoggerOptions {
  /**
   * Receives the lines, several joined when many requests end together, without a trailing newline.
   * @default console.log
   */
  print?: Print
  /** The clock that each request is answered by. @internal */
  clockOf?: ClockOf
}

/**
 * Logs each finished request: time, method, URL, status, milliseconds, client. Secrets in the URL are masked.
 * @example
 * 2026-03-01T09:30:00.000Z GET /products?_page=1 200 1.2 ms 127.0.0.1
 */
export function logger(options: LoggerOptions = {}): RequestLog {
  checkOptions('logger', options, ['print', 'clockOf'])
  const { clockOf = REAL_TIME } = options
  return logEach(checkPrint('logger', options.print), function logger(req, res, milliseconds) {
    const answered = `${statusOf(req, res)} ${milliseconds.toFixed(1)} ms`
    return `${clockOf(req).iso()} ${req.method} ${safeUrl(req)} ${answered} ${clientOf(req, res)}`
  })
}

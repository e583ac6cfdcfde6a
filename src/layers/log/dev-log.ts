import { checkOptions } from '../_guard.ts'
import { checkPrint, logEach, type Print, type RequestLog, safeUrl, statusOf } from './_log-line.ts'

export interface DevLogOptions {
  /**
   * Receives the lines, several joined when many requests end together, without a trailing newline.
   * @default console.log
   */
  print?: Print
}

/** json-server's colored line (morgan's `dev`), none under `NODE_ENV=test` or for `/favicon.ico`. Secrets are masked. */
export function devLog(options: DevLogOptions = {}): RequestLog {
  checkOptions('devLog', options, ['print'])
  // Read once: accessing the environment costs more than the rest of the line.
  const { NODE_ENV, NO_COLOR } = process.env
  const show = NO_COLOR ? (status: string) => status : color
  const fine = show('200')
  return logEach(checkPrint('devLog', options.print), function devLog(req, res, milliseconds, length) {
    if (NODE_ENV === 'test') return undefined
    if (req.url.startsWith('/favicon.ico') && req.path === '/favicon.ico') return undefined
    // Fast path for nearly all lines: logging must not cost a tenth of the request.
    const isFine = res.statusCode === 200 && res.headersSent
    const status = isFine ? fine : show(statusOf(req, res))
    return `${req.method} ${safeUrl(req)} ${status} ${milliseconds.toFixed(3)} ms - ${length ?? res.getHeader('Content-Length') ?? '-'}`
  })
}

/** Red, yellow, cyan and green, as morgan has them. */
const COLORS: Readonly<Record<string, number>> = { 5: 31, 4: 33, 3: 36, 2: 32 }

function color(status: string): string {
  const code = COLORS[status.charAt(0)]
  return code === undefined ? status : `\x1b[${code}m${status}\x1b[0m`
}

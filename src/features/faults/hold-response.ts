import type { Response } from 'express'

const OUTPUTS = ['writeHead', 'flushHeaders', 'write', 'end'] as const
type Output = (typeof OUTPUTS)[number]

/** The outcome of a held response. */
export interface AfterResponse {
  /** Called when the handler is done. Its response is dropped, and `res` restored. */
  readonly replace?: () => void
  readonly delay?: (release: () => void) => void
}

/** Intercepts the response of the handlers behind. By then, what they wrote is saved. A real failure is sent as it is. */
export function holdResponse(res: Response, { replace, delay }: AfterResponse): void {
  const before = { ...res.getHeaders() }
  const { writeHead, flushHeaders, write, end } = res
  const originals = { writeHead, flushHeaders, write, end }
  const waiting: [Output, unknown[]][] = []
  let state: 'untouched' | 'passing' | 'dropped' | 'held' = 'untouched'

  const send = (name: Output, args: unknown[]): unknown => Reflect.apply(originals[name], res, args)

  function begin(status: number): typeof state {
    if (status >= 500) return 'passing'
    if (replace) return 'dropped'
    delay?.(release)
    return 'held'
  }

  function release(): void {
    state = 'passing'
    for (const [name, args] of waiting.splice(0)) {
      // Compression writes the head with each write, until there is one.
      if (name !== 'writeHead' || !res.headersSent) send(name, args)
    }
    res.emit('drain')
  }

  function restore(): void {
    // Wrappers that handlers put around these, such as compression, go with them.
    for (const name of OUTPUTS) Reflect.set(res, name, originals[name])
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    for (const [name, value] of Object.entries(before)) if (value !== undefined) res.setHeader(name, value)
    res.statusCode = 200
    res.statusMessage = ''
  }

  for (const name of OUTPUTS) {
    Reflect.set(res, name, (...args: unknown[]) => {
      const [status] = args
      if (state === 'untouched')
        state = begin(name === 'writeHead' && typeof status === 'number' ? status : res.statusCode)
      if (state === 'passing') return send(name, args)
      if (state === 'held') {
        waiting.push([name, args])
        return name === 'write' ? false : res
      }
      const done = args.find((one): one is () => void => typeof one === 'function')
      if (name === 'end') {
        restore()
        if (done) res.once('finish', done)
        replace?.()
      } else if (done) process.nextTick(done)
      return name === 'write' ? true : res
    })
  }
}

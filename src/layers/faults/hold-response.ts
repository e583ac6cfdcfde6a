import type { Response } from 'express'

const OUTPUTS = ['writeHead', 'flushHeaders', 'write', 'end'] as const
type Output = (typeof OUTPUTS)[number]

/** What becomes of a response that a handler is about to send. */
export interface Fate {
  /** It leaves as it is if the request failed by itself: a real failure is not replaced by a simulated one. */
  readonly isSpared: (status: number) => boolean
  /** It is dropped, and this is called when the handler is done; the response is as it was before the handler. */
  readonly replace?: () => void
  /** It is held back, and this is called with a function that lets it go. */
  readonly delay?: (release: () => void) => void
}

/** Intercepts the response of the handlers behind, which is sent once what they wrote is saved. */
export function holdAnswer(res: Response, { isSpared, replace, delay }: Fate): void {
  const before = { ...res.getHeaders() }
  const { writeHead, flushHeaders, write, end } = res
  const originals = { writeHead, flushHeaders, write, end }
  const waiting: [Output, unknown[]][] = []
  let state: 'untouched' | 'passing' | 'dropped' | 'held' = 'untouched'

  const send = (name: Output, args: unknown[]): unknown => Reflect.apply(originals[name], res, args)

  function begin(status: number): typeof state {
    if (isSpared(status)) return 'passing'
    if (replace) return 'dropped'
    delay?.(release)
    return 'held'
  }

  function release(): void {
    state = 'passing'
    for (const [name, args] of waiting.splice(0)) {
      // Compression asks for the head with each write, until there is one.
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
      if (state === 'untouched') state = begin(statusOf(res, name, args))
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

function statusOf(res: Response, name: Output, [status]: readonly unknown[]): number {
  return name === 'writeHead' && typeof status === 'number' ? status : res.statusCode
}

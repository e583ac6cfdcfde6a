import type { ServerResponse } from 'node:http'

/** The longest wait that a timer can do; beyond it, timers fire at once. */
export const MAX_WAIT = 2 ** 31 - 1

/** Goes on after so many milliseconds, unless the client has gone by then: nobody waits for that answer. */
export function wait(res: ServerResponse, milliseconds: number, proceed: () => void): void {
  const timer = setTimeout(() => {
    res.removeListener('close', stop)
    proceed()
  }, milliseconds)
  res.once('close', stop)

  function stop(): void {
    clearTimeout(timer)
  }
}

import type { ServerResponse } from 'node:http'

/** The longest delay a timer supports; beyond it, timers fire immediately. */
export const LONGEST_WAIT = 2 ** 31 - 1

/** Proceeds after this many milliseconds, unless the client has disconnected by then. */
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

import type { Screen } from '../command-line.ts'

/** Tells somebody who waits what is going on. */
export interface Progress {
  /** What is measured now. */
  begin(what: string): void
  /** What came out of it. */
  done(outcome: string): void
}

/** On a terminal one line that changes and then stays; elsewhere a plain line for each outcome. */
export function progress(total: number, screen: Screen): Progress {
  let step = 0
  let current = ''
  const place = (): string => `[${String(step).padStart(String(total).length)}/${total}]`
  return {
    begin(what) {
      step++
      current = what
      if (screen.isTTY) screen.write(`\r\u001b[K${place()} ${what} …`)
    },
    done(outcome) {
      screen.write(`${screen.isTTY ? '\r\u001b[K' : ''}${place()} ${current}: ${outcome}\n`)
    },
  }
}

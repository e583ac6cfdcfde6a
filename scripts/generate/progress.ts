import type { Screen } from '../command-line.ts'

export interface Progress {
  update(done: number): void
  /** Clears the bar, so that further output starts on a clean line. */
  end(): void
}

const QUIET_MS = 1000
const REDRAW_MS = 100
const WIDTH = 30

/** A progress bar that appears after a second; none for a pipe or a log file. */
export function progress(total: number, screen: Screen, now: () => number = Date.now): Progress {
  const started = now()
  let drawnAt: number | undefined

  return {
    update(done) {
      const time = now()
      if (!screen.isTTY || time - started <= QUIET_MS) return
      if (drawnAt !== undefined && time - drawnAt < REDRAW_MS) return
      drawnAt = time
      screen.write(`\r${bar(done, total)}`)
    },
    end() {
      if (drawnAt !== undefined) screen.write('\r\u001b[K')
    },
  }
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : done / total
  const filled = Math.round(share * WIDTH)
  const percent = `${Math.floor(share * 100)}%`.padStart(4)
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]${percent} ${done} of ${total} rows`
}

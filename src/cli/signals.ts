/** A shell's exit code for a program ended by Ctrl+C. */
export const INTERRUPTED = 130

/** Under `npm start`, one Ctrl+C arrives twice: from the terminal and from npm. */
const SAME_KEYSTROKE_MS = 500

/** Resolves on the first SIGINT or SIGTERM. A second one, while the server is closing, ends the process immediately. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined
    const onSignal = () => {
      askedAt ??= performance.now()
      if (performance.now() - askedAt > SAME_KEYSTROKE_MS) process.exit(INTERRUPTED)
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/** What a shell reports for a program that Ctrl+C ended. */
const INTERRUPTED = 130

/** One Ctrl+C under `npm start` arrives twice: from the terminal, and passed on by npm. */
const SAME_KEYSTROKE_MS = 500

/** Resolves at the first SIGINT or SIGTERM. A second one, while the server still closes, ends the process at once. */
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

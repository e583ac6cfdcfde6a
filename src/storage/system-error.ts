/** The system's name for a failure, such as `ENOENT`; undefined when the system had no part in it. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Whether a failure is one of these, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '')
}

/** Takes what a promise was rejected with, and turns the failures that were expected into undefined. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

import { ConfigError, ListenError, StorageError } from '../index.ts'

/** User errors are one line; anything else is our bug, and needs its stack. */
export function explain(error: unknown): string {
  const isExpected =
    error instanceof ConfigError || error instanceof ListenError || error instanceof StorageError
  if (isExpected) return error.message
  if (isOfSystem(error)) return `The operating system refused: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Errors such as an unreadable file or a read-only folder: the message says which. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

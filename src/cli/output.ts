import { ConfigError, ListenError, StorageError } from '../catalogue/error-classes.ts'

/** Bytes to buffer for a reader that does not read, such as a pager. Output beyond that is dropped. */
const PATIENCE = 1024 * 1024

/** Keeps the server alive when output fails (full disk, closed pipe or terminal): it is lost, later output is tried. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

export function print(line: string): void {
  write(process.stdout, line)
}

export function printError(line: string): void {
  write(process.stderr, line)
}

function write(stream: NodeJS.WriteStream, line: string): void {
  if (stream.writableLength < PATIENCE) stream.write(`${line}\n`)
}

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

import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import type { RunningServer } from '../index.ts'
import { ConfigError, ListenError, loadedLogic, runningLogic, StorageError } from '../internals.ts'

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
  if (!(error instanceof Error)) return String(error)
  const isExpected =
    error instanceof ConfigError || error instanceof ListenError || error instanceof StorageError
  if (isExpected) return error.message
  // Such as an unreadable file or a read-only folder.
  if ('code' in error && 'syscall' in error) return `The operating system refused: ${error.message}`
  return error.stack ?? error.message
}

/** An error that a logic file did not wait for is printed, and the server goes on. Without logic, it ends. */
export function surviveLogic(): void {
  // Once, however often `run` is called.
  process.off('uncaughtException', onUncaught).on('uncaughtException', onUncaught)
}

function onUncaught(error: unknown): void {
  const name = runningLogic() ?? loadedLogic()
  printError(
    name === undefined ? explain(error) : `${name}: nothing waited for this error: ${inspect(error)}`,
  )
  if (name === undefined) process.exit(1)
}

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

/** Saves on `s` + Enter; returns how to stop. Reads only with snapshots: background processes are suspended for it. */
export function saveOnS(server: RunningServer): () => void {
  if (server.config.snapshots === undefined) return () => {}
  const { stdin } = process
  // Under nohup or without a terminal, reading may fail, which is fine.
  stdin.on('error', () => {})
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', (line) => {
    if (line.trim().toLowerCase() !== 's') return
    server.snapshot().then(
      ({ id, file }) => {
        const saved = isDatabase(server.config)
          ? `the snapshot ${id} in the database`
          : `a snapshot to ${file}`
        if (!server.config.quiet) print(`  Saved ${saved}`)
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        printError(`The snapshot could not be saved: ${why}`)
      },
    )
  })
  return () => {
    lines.close()
    stdin.destroy()
  }
}

export function isDatabase({ source }: { readonly source?: unknown }): boolean {
  return typeof source === 'string' && /^postgres(ql)?:/i.test(source)
}

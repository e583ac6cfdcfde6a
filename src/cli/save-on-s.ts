import { createInterface } from 'node:readline'
import type { RunningServer } from '../app/start.ts'

export interface Printers {
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
}

/** Saves on `s` + Enter; returns how to stop. Reads only with snapshots: background processes are suspended for it. */
export function saveOnS(server: RunningServer, { print, printError }: Printers): () => void {
  if (server.config.snapshots === undefined) return () => {}
  const { stdin } = process
  // Under nohup or without a terminal, reading may fail, which is fine.
  stdin.on('error', () => {})
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', (line) => {
    if (line.trim().toLowerCase() !== 's') return
    server.snapshot().then(
      ({ id, file }) =>
        print(
          isDatabase(server.config)
            ? `  Saved the snapshot ${id} in the database`
            : `  Saved a snapshot to ${file}`,
        ),
      (error: unknown) =>
        printError(
          `The snapshot could not be saved: ${error instanceof Error ? error.message : String(error)}`,
        ),
    )
  })
  return () => {
    lines.close()
    stdin.destroy()
  }
}

/** Whether the data is in a database, which keeps snapshots, too. */
export function isDatabase({ source = '' }: { readonly source?: string | undefined }): boolean {
  return /^postgres(ql)?:/i.test(source)
}

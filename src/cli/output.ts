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

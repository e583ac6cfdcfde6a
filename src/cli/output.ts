/** Bytes to buffer for a reader that does not read, such as a pager. Output beyond that is dropped. */
const PATIENCE = 1024 * 1024

/**
 * Keeps the server alive when its output fails: on a full disk, in a pipe that nobody reads anymore (`| head -1`), or
 * on a closed terminal. That output is lost; later output is tried again.
 */
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

/** Bytes that may wait for somebody who does not read, such as a pager. What is printed beyond that is lost. */
const PATIENCE = 1024 * 1024

/**
 * Lets the server live where its output cannot: on a full disk, in a pipe that nobody reads any more (`| head -1`), or
 * on a terminal that was closed. What was to be printed is lost, and what comes later is tried again.
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

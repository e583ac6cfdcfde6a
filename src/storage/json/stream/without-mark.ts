const MARK = Buffer.from('\uFEFF')

/** Without the byte order mark that some editors on Windows start files with. */
export async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of chunks) {
    if (!first) {
      yield chunk
      continue
    }
    first = Buffer.concat([first, chunk])
    if (first.length < MARK.length) continue
    yield MARK.equals(first.subarray(0, MARK.length)) ? first.subarray(MARK.length) : first
    first = undefined
  }
  if (first) yield first
}

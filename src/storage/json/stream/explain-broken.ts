import { StorageError } from '../../../errors.ts'
import { explainFault, notUtf8 } from '../load.ts'
import type { BrokenPiece } from './piece-reader.ts'

/** Characters after a fault that its description may look at. */
const LOOKED_AT = 64

/**
 * What is wrong with a text, as if it had been read as a whole. So the rest is read too, though nothing of it kept:
 * something in it may not even be text.
 * @param rest what was not read yet
 */
export async function explainBroken(
  broken: BrokenPiece,
  rest: AsyncIterator<Uint8Array>,
  name: string,
): Promise<StorageError> {
  const { bytes, start } = broken
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    let text = decoder.decode(bytes, { stream: true })
    const enough = text.length + LOOKED_AT
    for (;;) {
      const { done, value } = await rest.next()
      if (done) break
      const more = decoder.decode(value, { stream: true })
      if (text.length < enough) text += more
    }
    text += decoder.decode()
    return await explainFault(text, name, broken, start)
  } catch (error) {
    if (error instanceof TypeError) return notUtf8(name)
    throw error
  }
}

export function explainTooLong(key: string, name: string): StorageError {
  return new StorageError(
    'INVALID_DATA',
    `${name} has a value under "${key}" that is longer than any string can be. Split it into several rows.`,
  )
}

import type { StorageError } from '../../../errors.ts'
import { withFiniteNumbers } from '../../../json/finite.ts'
import { isCollection, type Part } from '../incoming.ts'
import { checkParts, explainFault, invalid, isWithin, MAX_DEPTH, notUtf8, tooDeep } from '../load.ts'
import { BrokenPiece, type Piece, PieceReader, TooLong } from './piece-reader.ts'

/** The same data that `parseData` makes of the whole file, and the same faults, however large it is; some only at its end. */
export async function* readParts(chunks: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Part> {
  const reader = new PieceReader((key) => !isCollection(key, []))
  const found = new Found(name)
  const source = withoutMark(chunks)
  try {
    for (;;) {
      const { done, value } = await source.next()
      for (const piece of done ? reader.end() : reader.read(value)) {
        const part = found.take(piece)
        if (part) yield part
      }
      if (done) break
    }
  } catch (error) {
    if (error instanceof TooLong) {
      const fault = `a value under "${reader.name}" that is longer than any string can be`
      throw invalid(`${name} has ${fault}. Split it into several rows.`)
    }
    throw error instanceof BrokenPiece ? await explainBroken(error, source, name) : error
  } finally {
    await source.return()
  }
  found.check()
}

/** What was found so far. Of names that come again, the last one counts: so nothing is judged before the end. */
class Found {
  readonly #file: string
  #name: string | undefined
  readonly #kinds = new Map<string, unknown>()
  readonly #tooDeep = new Set<string>()
  /** What the file holds, if it is not an object. */
  #root: { readonly value: unknown } | undefined

  constructor(file: string) {
    this.#file = file
  }

  take(piece: Piece): Part | undefined {
    if (piece.kind === 'name') {
      this.#name = piece.name
      this.#tooDeep.delete(piece.name)
      return undefined
    }
    const name = this.#name
    if (name === undefined) {
      this.#root ??= { value: piece.kind === 'value' ? piece.value : [] }
      return undefined
    }
    if (piece.kind === 'items') {
      return { kind: 'rows', rows: piece.items.map((row) => this.#checked(row, name, 2)) }
    }
    this.#kinds.set(name, piece.kind === 'list' ? [] : standIn(piece.value))
    if (piece.kind === 'list') return { kind: 'collection', name }
    return { kind: 'value', name, value: this.#checked(piece.value, name, 1) }
  }

  check(): void {
    const kinds = checkParts(this.#root ? this.#root.value : Object.fromEntries(this.#kinds), this.#file)
    for (const key of Object.keys(kinds)) if (this.#tooDeep.has(key)) throw tooDeep(key, this.#file)
  }

  /** As it will be stored: null for numbers that overflow. */
  #checked(value: unknown, name: string, depth: number): unknown {
    const seen = { isInfinite: false }
    if (!isWithin(value, MAX_DEPTH - depth, seen)) {
      this.#tooDeep.add(name)
      return null
    }
    return seen.isInfinite ? withFiniteNumbers(value) : value
  }
}

function standIn(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

const MARK = Buffer.from('\uFEFF')

async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
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

/** Characters after a fault that its description may look at. */
const LOOKED_AT = 64

/** As if the text had been read as a whole. So the rest is read too: something in it may not even be text. */
async function explainBroken(
  broken: BrokenPiece,
  rest: AsyncIterable<Uint8Array>,
  name: string,
): Promise<StorageError> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    let text = decoder.decode(broken.bytes, { stream: true })
    const enough = text.length + LOOKED_AT
    for await (const chunk of rest) {
      const more = decoder.decode(chunk, { stream: true })
      if (text.length < enough) text += more
    }
    text += decoder.decode()
    return invalid(await explainFault(text, name, broken.start), broken)
  } catch (error) {
    if (error instanceof TypeError) return notUtf8(name)
    throw error
  }
}

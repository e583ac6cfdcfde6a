import { LONG, sizeUpTo } from '../../json/json-size.ts'
import { setField } from '../../json/patch/container.ts'
import type { Work } from '../../work/in-slices.ts'
import { revealRows } from '../hidden/conceal.ts'
import type { Data } from '../types.ts'
import { PieceCache } from './piece-cache.ts'
import { type List, PrettyWriter } from './pretty-writer.ts'

/** Whether serializing the value would block others: many rows, or a few huge ones. */
export function isLong(value: unknown): boolean {
  return sizeUpTo(LONG, value) >= LONG
}

/** The same for a list-like. */
export function isLongList(list: List): boolean {
  let size = 0
  for (let at = 0; at < list.length && size < LONG; at++) size += sizeUpTo(LONG, list.at(at), 1)
  return size >= LONG
}

/** `JSON.stringify(value, null, 2)` in pieces, so that the caller can yield in between. */
export function prettyJson(value: unknown): Generator<Uint8Array, void> {
  return new PrettyWriter().write(value)
}

/** The same for a list with repeated objects: large ones are serialized once. */
export function prettyList(list: List): Generator<Uint8Array, void> {
  return new PrettyWriter(new PieceCache()).writeList(list)
}

/** All pieces of a database as it is stored, as of the first step. */
export function* prettyPieces(data: Data): Work<readonly Uint8Array[]> {
  const content = asItIsNow(data)
  for (const [name, part] of Object.entries(content)) {
    if (Array.isArray(part)) setField(content, name, yield* revealRows(part))
  }
  return yield* allPieces(content)
}

/** All pieces of a value that nobody changes meanwhile. */
export function* allPieces(value: unknown): Work<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for (const piece of prettyJson(value)) {
    pieces.push(piece)
    yield
  }
  return pieces
}

/** A shallow copy of the current database: rows are never changed in place, but the arrays that hold them are. */
export function asItIsNow(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, Array.isArray(part) ? part.slice() : part]),
  )
}

import { LONG, sizeUpTo } from '../../json/json-size.ts'
import type { Work } from '../../work/in-slices.ts'
import type { Data } from '../types.ts'
import { PieceCache } from './piece-cache.ts'
import { type List, PrettyWriter } from './pretty-writer.ts'

/** Whether others would have to wait while the value is written out: many rows, or a few huge ones. */
export function isLong(value: unknown): boolean {
  return sizeUpTo(LONG, value) >= LONG
}

/** The same of what stands for a list. */
export function isLongList(list: List): boolean {
  let size = 0
  for (let at = 0; at < list.length && size < LONG; at++) size += sizeUpTo(LONG, list.at(at), 1)
  return size >= LONG
}

/** What `JSON.stringify(value, null, 2)` gives, in pieces, between which others may have their turn. */
export function prettyJson(value: unknown): Generator<Uint8Array, void> {
  return new PrettyWriter().write(value)
}

/** The same for a list in which objects are repeated: those that are large are written out once. */
export function prettyList(list: List): Generator<Uint8Array, void> {
  return new PrettyWriter(new PieceCache()).writeList(list)
}

/** All pieces of a database, as it is at the first step. */
export function* prettyPieces(data: Data): Work<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for (const piece of prettyJson(asItIsNow(data))) {
    pieces.push(piece)
    yield
  }
  return pieces
}

/** A database of this moment: rows are only ever replaced, but the lists they stand in are changed in place. */
export function asItIsNow(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, Array.isArray(part) ? part.slice() : part]),
  )
}

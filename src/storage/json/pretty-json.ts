import { LONG, sizeUpTo } from '../../json/json-size.ts'
import { Pace } from '../../util/pace.ts'
import { type List, PrettyWriter } from './pretty-writer.ts'

/** Whether serializing the value would block others: many rows, or a few huge ones. */
export function isLong(value: unknown): boolean {
  return sizeUpTo(LONG, value) >= LONG
}

export function isLongList(list: List): boolean {
  let size = 0
  for (let at = 0; at < list.length && size < LONG; at++) size += sizeUpTo(LONG, list.at(at), 1)
  return size >= LONG
}

/** `JSON.stringify(value, null, 2)` in pieces, so that the caller can pause in between. */
export function prettyJson(value: unknown): Generator<Uint8Array, void> {
  return new PrettyWriter().write(value)
}

/** The same for a list with repeated objects: large ones are serialized once. */
export function prettyList(list: List): Generator<Uint8Array, void> {
  return new PrettyWriter(true).writeList(list)
}

export async function gather(pieces: Iterable<Uint8Array>, pace = new Pace()): Promise<Uint8Array[]> {
  const gathered: Uint8Array[] = []
  for (const piece of pieces) {
    gathered.push(piece)
    if (pace.isDue) await pace.turn()
  }
  return gathered
}

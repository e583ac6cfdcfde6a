import type { Work } from '../in-slices.ts'
import { byteLength } from './write-chunks.ts'

/** So many rows are written out before others may have their turn. */
const ROWS_AT_ONCE = 128

const COMMA = ',\n'

/** Whether others would have to wait while the value is written out: a long list, or an object with many rows. */
export function isLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return isLongList(value)
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0) > ROWS_AT_ONCE
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > ROWS_AT_ONCE
}

/**
 * What `JSON.stringify(value, null, 2)` gives, as it is at the first step. Lists may change meanwhile; what is in them,
 * and objects, must not.
 */
export function* prettyBytes(value: object): Work<Buffer> {
  const pieces = yield* prettyPieces(value)
  const bytes = Buffer.allocUnsafeSlow(byteLength(pieces))
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
    yield
  }
  return bytes
}

/** The same in pieces. */
export function* prettyPieces(value: object): Work<readonly Uint8Array[]> {
  if (!isLong(value)) return [Buffer.from(JSON.stringify(value, null, 2))]
  if (isLongList(value)) return yield* listPieces([...value], textOfRows)
  const entries = Object.entries(value).map(
    ([name, part]) => [name, Array.isArray(part) ? [...part] : part] as const,
  )
  const parts: [name: string, pieces: readonly Uint8Array[]][] = []
  for (const [name, part] of entries) {
    const pieces = isLongList(part) ? yield* listPieces(part, textOfRowsWithin, '  ') : piecesWithin(part)
    parts.push([name, pieces])
    yield
  }
  return piecesOfObject(parts)
}

function* listPieces(
  rows: readonly unknown[],
  textOf: (rows: readonly unknown[]) => string,
  margin = '',
): Work<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    pieces.push(Buffer.from(textOf(rows.slice(start, start + ROWS_AT_ONCE))))
    yield
  }
  return piecesOfList(pieces, margin)
}

/** A list of rows that were written out some at a time: none before the first, and so no comma. */
export function piecesOfList(
  [first, ...others]: readonly Uint8Array[],
  margin: string,
): readonly Uint8Array[] {
  const start = first === undefined ? [] : [first.subarray(COMMA.length)]
  return [Buffer.from('[\n'), ...start, ...others, Buffer.from(`\n${margin}]`)]
}

/** An object from the names and the contents of its parts; those without are left out. */
export function piecesOfObject(
  parts: readonly (readonly [name: string, pieces: readonly Uint8Array[]])[],
): readonly Uint8Array[] {
  const filled = parts.filter(([, content]) => content.length > 0)
  if (filled.length === 0) return [Buffer.from('{}')]
  const pieces = filled.flatMap(([name, content], index) => [
    Buffer.from(`${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `),
    ...content,
  ])
  return [...pieces, Buffer.from('\n}')]
}

/** Rows as they stand in a list, after a comma. */
function textOfRows(rows: readonly unknown[]): string {
  return COMMA + JSON.stringify(rows, null, 2).slice('[\n'.length, -'\n]'.length)
}

/** Rows as they stand in a list within an object, after a comma. */
export function textOfRowsWithin(rows: readonly unknown[]): string {
  return COMMA + JSON.stringify({ x: rows }, null, 2).slice('{\n  "x": [\n'.length, -'\n  ]\n}'.length)
}

/** A value as it stands within an object; none where JSON has nothing for it. */
export function piecesWithin(value: unknown): readonly Uint8Array[] {
  const text: string | undefined = JSON.stringify(value, null, 2)
  // Text in JSON has no line ends of its own: all of them are layout.
  return text === undefined ? [] : [Buffer.from(text.replaceAll('\n', '\n  '))]
}

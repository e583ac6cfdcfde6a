import type { Query } from '../query/query-string.ts'
/** `?callback=show` */
export interface Script {
  readonly callback: string
  readonly type: string
}

export function scriptOf({ callback }: Query): Script | undefined {
  const name: unknown = Array.isArray(callback) ? callback[0] : callback
  if (typeof name !== 'string' || name === '') return undefined
  return { callback: name.replace(/[^[\]\w$.]/g, ''), type: 'text/javascript; charset=utf-8' }
}

export function* asScript(
  script: Script | undefined,
  json: Iterable<Uint8Array>,
): Generator<Uint8Array, void> {
  if (script === undefined) {
    yield* json
    return
  }
  const { callback } = script
  yield Buffer.from(`/**/ typeof ${callback} === 'function' && ${callback}(`)
  for (const piece of json) yield withoutLineEnds(piece)
  yield Buffer.from(');')
}

/** Escapes two characters that are valid in JSON, but not in scripts in older browsers. */
function withoutLineEnds(piece: Uint8Array): Uint8Array {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  if (!text.includes('\u2028') && !text.includes('\u2029')) return piece
  return Buffer.from(text.toString().replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'))
}

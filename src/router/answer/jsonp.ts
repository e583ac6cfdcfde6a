/** A function of a page's own that is handed the answer: `?callback=show`. */
export interface Script {
  readonly callback: string
  readonly type: string
}

/** The script that Express's `res.jsonp` would send; undefined where it would send JSON. */
export function scriptOf({ callback }: Record<string, unknown>): Script | undefined {
  const name: unknown = Array.isArray(callback) ? callback[0] : callback
  if (typeof name !== 'string' || name === '') return undefined
  return { callback: name.replace(/[^[\]\w$.]/g, ''), type: 'text/javascript; charset=utf-8' }
}

/** JSON as it is, or as what a function is called with. */
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

/** Two characters that JSON may hold as they are, and scripts, to older browsers, may not. */
function withoutLineEnds(piece: Uint8Array): Uint8Array {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  if (!text.includes('\u2028') && !text.includes('\u2029')) return piece
  return Buffer.from(text.toString().replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'))
}

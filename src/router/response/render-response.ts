import { createHash, hash as hashOf } from 'node:crypto'
import type { Frame } from '../../shape/template.ts'
import { isLong, prettyJson, prettyList } from '../../storage/formats/pretty-json.ts'
import type { JoinedList } from '../../storage/question.ts'
import { Pace } from '../../util/pace.ts'
import type { Query } from '../query/query-string.ts'
import type { Reading } from '../read.ts'
import { RenderedResponse } from './rendered-response.ts'
import { joinPieces, LARGE, LARGEST_RESPONSE, release, reserve, sizeOf, tooLarge } from './response-memory.ts'
import type { StreamedResponse } from './streamed-response.ts'

export type AnyResponse = RenderedResponse | StreamedResponse

/** Only where Express would write plain JSON, with a weak ETag. */
export async function renderResponse(reading: Reading, script?: Script): Promise<AnyResponse> {
  const { write, joined } = reading
  if (script || !(write || !(joined || isLong(reading.data)))) return renderLong(reading, script)
  const json = write ? write() : JSON.stringify(reading.data, null, 2)
  const body = typeof json === 'string' && json.length > SHORT ? Buffer.from(json) : json
  const etag = weakEtag(Buffer.byteLength(body), hashOf('sha1', body, 'base64'))
  return new RenderedResponse(reading, body, etag, reading.type)
}

/** As Express makes it. */
function weakEtag(length: number, sha1: string): string {
  return `W/"${length.toString(16)}-${sha1.slice(0, 27)}"`
}

/** Up to this many characters, Node sends headers and string in one write, which is faster than bytes made of it. */
const SHORT = 4096

/** A large response is streamed, without an ETag, which would have to come first. */
async function renderLong(reading: Reading, script: Script | undefined): Promise<AnyResponse> {
  const { joined, hasRelations, frame } = reading
  const size = await sizeOf(reading, hasRelations ? LARGEST_RESPONSE : LARGE)
  if (size >= LARGEST_RESPONSE) throw tooLarge()
  const pieces = () => asScript(script, joined ? framedList(joined, frame) : prettyJson(reading.data))
  const type = script?.type ?? reading.type
  if (!reserve(size)) return { reading, pieces, type }
  const hash = createHash('sha1')
  const gathered: Uint8Array[] = []
  const pace = new Pace()
  let length = 0
  try {
    for (const piece of pieces()) {
      hash.update(piece)
      gathered.push(piece)
      length += piece.length
      if (pace.isDue) await pace.turn()
    }
    const etag = weakEtag(length, hash.digest('base64'))
    return new RenderedResponse(reading, joinPieces(gathered, length), etag, type)
  } finally {
    release(size)
  }
}

function* framedList(list: JoinedList, frame: Frame | undefined): Generator<Uint8Array, void> {
  if (frame) yield Buffer.from(frame.before)
  yield* prettyList(list, frame?.depth)
  if (frame) yield Buffer.from(frame.after)
}

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

function* asScript(script: Script | undefined, json: Iterable<Uint8Array>): Generator<Uint8Array, void> {
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

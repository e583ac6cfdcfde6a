import { createHash, hash as hashOf } from 'node:crypto'
import type { JoinedList } from '../../engine/question.ts'
import { isLong, prettyJson, prettyList } from '../../kernel/json/pretty-json.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { SentUrls } from '../attachments.ts'
import { type Frame, NOTHING, type RenderableResult } from '../read.ts'
import { RenderedResponse } from './rendered-response.ts'
import { LARGE, LARGEST_RESPONSE, release, reserve, sizeOf, tooLarge } from './response-memory.ts'
import type { StreamedResponse } from './streamed-response.ts'

export type AnyResponse = RenderedResponse | StreamedResponse

/**
 * Only where Express would write plain JSON, with a weak ETag.
 * @param callback the function that a script calls with it (JSONP)
 * @param urls how stored URLs are sent
 */
export async function renderResponse(
  reading: RenderableResult = NOTHING,
  callback?: string,
  urls?: SentUrls,
): Promise<AnyResponse> {
  const { write, joined, isShort } = reading
  const isAtOnce = write || isShort || !(joined || isLong(reading.data))
  if (callback !== undefined || !isAtOnce) return renderLong(reading, callback, urls)
  const json = write ? write() : JSON.stringify(reading.data, null, 2)
  const body = typeof json === 'string' && json.length > SHORT ? Buffer.from(json) : json
  const etag = etagOf(Buffer.byteLength(body), hashOf('sha1', body, 'base64'))
  return new RenderedResponse(reading, urls ? withUrls(body, urls) : body, etag, reading.type)
}

function withUrls(body: string | Buffer, urls: SentUrls): string | Buffer {
  return typeof body === 'string' ? urls.text(body) : Buffer.concat([...urls.pieces([body])])
}

/** As Express makes it. @param sha1 in Base64 */
function etagOf(length: number, sha1: string): string {
  return `W/"${length.toString(16)}-${sha1.slice(0, 27)}"`
}

/** Up to this many characters, Node sends headers and string in one write, which is faster than bytes made of it. */
const SHORT = 4096

/** A large response is streamed, without an ETag, which would have to come first. */
async function renderLong(
  reading: RenderableResult,
  callback: string | undefined,
  urls: SentUrls | undefined,
): Promise<AnyResponse> {
  const { joined, hasRelations, frame } = reading
  const size = await sizeOf(reading, hasRelations ? LARGEST_RESPONSE : LARGE)
  if (size >= LARGEST_RESPONSE) throw tooLarge()
  const json = () => (joined ? framedList(joined, frame) : prettyJson(reading.data))
  const pieces = callback === undefined ? json : () => asScript(callback, json())
  const type = callback === undefined ? reading.type : 'text/javascript; charset=utf-8'
  if (!reserve(size)) return { reading, pieces: urls ? () => urls.pieces(pieces()) : pieces, type }
  const hash = createHash('sha1')
  const gathered: Uint8Array[] = []
  const pace = new TimeSlice()
  let length = 0
  try {
    // The ETag is that of the data as it is stored.
    const hashed = function* () {
      for (const piece of pieces()) {
        hash.update(piece)
        length += piece.length
        yield piece
      }
    }
    for (const piece of urls ? urls.pieces(hashed()) : hashed()) {
      gathered.push(piece)
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    const etag = etagOf(length, hash.digest('base64'))
    return new RenderedResponse(reading, Buffer.concat(gathered), etag, type)
  } finally {
    release(size)
  }
}

function* framedList(list: JoinedList, frame: Frame | undefined): Generator<Uint8Array, void> {
  if (frame) yield Buffer.from(frame.before)
  yield* prettyList(list, frame?.depth)
  if (frame) yield Buffer.from(frame.after)
}

function* asScript(callback: string, json: Iterable<Uint8Array>): Generator<Uint8Array, void> {
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

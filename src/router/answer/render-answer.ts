import { createHash } from 'node:crypto'
import { isLong, prettyJson, prettyList } from '../../storage/json/pretty-json.ts'
import { type Work, workAtOnce, workInSlices } from '../../work/in-slices.ts'
import type { Reading } from '../read.ts'
import { LARGEST_ANSWER, tooLarge } from './answer-size.ts'
import { asScript, type Script } from './jsonp.ts'
import { KeptPieces, LARGE } from './kept-pieces.ts'
import { RenderedAnswer, renderAtOnce } from './rendered-answer.ts'
import { StreamedAnswer } from './streamed-answer.ts'

export type AnyAnswer = RenderedAnswer | StreamedAnswer

export interface RenderOptions {
  /** Express's `etag fn`. */
  readonly etagOf: (body: string | Buffer) => string
  /** Whether it may yield: only if nobody changes rows in place. */
  readonly isStable: boolean
  /** The JSONP callback, if any. */
  readonly script?: Script | undefined
}

/** Renders a response, a long one in slices. Rejects if it is too large. */
export function renderAnswer(reading: Reading, options: RenderOptions): AnyAnswer | Promise<AnyAnswer> {
  return options.isStable ? workInSlices(render(reading, options)) : workAtOnce(render(reading, options))
}

function* render(reading: Reading, { isStable, script, etagOf }: RenderOptions): Work<AnyAnswer> {
  if (!script && !isLongReading(reading)) return renderAtOnce(reading, etagOf)
  yield
  return yield* renderLong(reading, isStable, script)
}

/** Whether it takes long to serialize. */
export function isLongReading(reading: Reading): boolean {
  return reading.joined !== undefined || isLong(reading.data)
}

function* renderLong(reading: Reading, isStable: boolean, script: Script | undefined): Work<AnyAnswer> {
  // Most oversized responses are detected without serializing them.
  const { joined, hasRelations } = reading
  if (hasRelations && joined && (yield* joined.sizeUpTo(LARGEST_ANSWER)) >= LARGEST_ANSWER) throw tooLarge()
  const pieces = () => asScript(script, piecesOf(reading))
  const most = hasRelations ? LARGEST_ANSWER : Number.POSITIVE_INFINITY
  const hash = createHash('sha1')
  const kept = new KeptPieces(isStable)
  let length = 0
  try {
    for (const piece of pieces()) {
      length += piece.length
      if (length > most) throw tooLarge()
      hash.update(piece)
      kept.add(piece)
      yield
    }
    const etag = `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`
    const written = { reading, length, etag, type: script?.type }
    const { all } = kept
    if (all === undefined) return new StreamedAnswer(written, pieces)
    if (length > LARGE) return new StreamedAnswer(written, () => all)
    return new RenderedAnswer(reading, yield* kept.together(), etag, script?.type)
  } finally {
    kept.drop()
  }
}

function piecesOf(reading: Reading): Generator<Uint8Array, void> {
  return reading.joined ? prettyList(reading.joined) : prettyJson(reading.data)
}

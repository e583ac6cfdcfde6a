import { createHash } from 'node:crypto'
import { isLong, prettyJson, prettyList } from '../../storage/json/pretty-json.ts'
import { Pace } from '../../work/pace.ts'
import type { Reading } from '../read.ts'
import { LARGEST_ANSWER, tooLarge } from './answer-room.ts'
import { asScript, type Script } from './jsonp.ts'
import { KeptPieces } from './kept-pieces.ts'
import { RenderedAnswer, renderAtOnce } from './rendered-answer.ts'
import { StreamedAnswer } from './streamed-answer.ts'

export type AnyAnswer = RenderedAnswer | StreamedAnswer

export interface RenderOptions {
  readonly etagOf: (body: string | Buffer) => string
  readonly script?: Script | undefined
}

/** Renders a response, a long one with pauses. Rejects if it is too large. */
export async function renderAnswer(reading: Reading, { etagOf, script }: RenderOptions): Promise<AnyAnswer> {
  const isAtOnce = !script && !reading.joined && !isLong(reading.data)
  return isAtOnce ? renderAtOnce(reading, etagOf) : renderLong(reading, script)
}

async function renderLong(reading: Reading, script: Script | undefined): Promise<AnyAnswer> {
  // Most oversized responses are detected without serializing them.
  const { joined, hasRelations } = reading
  if (hasRelations && joined && (await joined.sizeUpTo(LARGEST_ANSWER)) >= LARGEST_ANSWER) throw tooLarge()
  const pieces = () => asScript(script, joined ? prettyList(joined) : prettyJson(reading.data))
  const most = hasRelations ? LARGEST_ANSWER : Number.POSITIVE_INFINITY
  const hash = createHash('sha1')
  const kept = new KeptPieces()
  const pace = new Pace()
  let length = 0
  try {
    for (const piece of pieces()) {
      length += piece.length
      if (length > most) throw tooLarge()
      hash.update(piece)
      kept.add(piece)
      if (pace.isDue) await pace.turn()
    }
    const etag = `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`
    const type = script?.type
    if (!kept.isComplete) return new StreamedAnswer({ reading, length, etag, type }, pieces)
    return new RenderedAnswer(reading, kept.together(), etag, type)
  } finally {
    kept.drop()
  }
}

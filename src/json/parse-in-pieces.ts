import { Pace } from '../util/pace.ts'
import { type JsonBounds, JsonParser, PIECE } from './json-parser.ts'

/** `JSON.parse` that pauses between pieces: others are served meanwhile. Rejects as a JsonParser throws. */
export async function parseInPieces(text: string, bounds: JsonBounds): Promise<unknown> {
  const parser = new JsonParser(bounds)
  const pace = new Pace()
  for (let at = 0; at < text.length; at += PIECE) {
    parser.push(text.slice(at, at + PIECE))
    if (pace.isDue) await pace.turn()
  }
  return parser.end()
}

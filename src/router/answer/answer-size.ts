import { sizeUpTo } from '../../json/json-size.ts'
import type { Reading } from '../read.ts'
import { RequestError } from '../request-error.ts'

/** Maximum size of a response that can be larger than the data, or must be held: no browser can use more. */
export const LARGEST_ANSWER = 256 * 1024 * 1024

export function tooLarge(): RequestError {
  return new RequestError(
    'ANSWER_TOO_LARGE',
    'The response would be larger than 256 MB. Ask for fewer rows with _limit, _page or a filter, or leave out _embed and _expand.',
  )
}

/** A lower bound for the bytes of a response, counted no further than the maximum. */
export async function sizeOf(reading: Reading): Promise<number> {
  return reading.joined?.sizeUpTo(LARGEST_ANSWER) ?? sizeUpTo(LARGEST_ANSWER, reading.data)
}

import { sizeUpTo } from '../../json/json-size.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import type { Reading } from '../read.ts'
import { RequestError } from '../request-error.ts'

/**
 * What an answer may hold that can be larger than the data is, or that has to be in memory as a whole. A browser can
 * do nothing with more.
 */
export const LARGEST_ANSWER = 256 * 1024 * 1024

export function tooLarge(): RequestError {
  return new RequestError(
    'ANSWER_TOO_LARGE',
    'The answer would be larger than 256 MB. Ask for fewer rows with _limit, _page or a filter, or leave out _embed and _expand.',
  )
}

/** How many bytes an answer takes: at least so many, counted no further than what an answer may hold. */
export function sizeOf(reading: Reading): number {
  return reading.joined
    ? workAtOnce(reading.joined.sizeUpTo(LARGEST_ANSWER))
    : sizeUpTo(LARGEST_ANSWER, reading.data)
}

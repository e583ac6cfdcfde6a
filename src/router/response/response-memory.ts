import type { Response } from 'express'
import { sizeUpTo } from '../../json/json-size.ts'
import { isObject } from '../../json/values.ts'
import { Pace } from '../../util/pace.ts'
import type { Reading } from '../read.ts'
import { RequestError } from '../request-error.ts'

/** For responses that can be larger than the data, or must be held in memory: no browser can use more. */
export const LARGEST_RESPONSE = 256 * 1024 * 1024

const ROOM = 2 * LARGEST_RESPONSE

interface Waiting {
  readonly size: number
  readonly res: Response
  readonly enter: (isWanted: boolean) => void
}

let taken = 0
const waiting: Waiting[] = []

/** Waits for memory to hold a response until it is sent. Resolves to whether the client is still connected. */
export async function waitForRoom(reading: Reading, res: Response): Promise<boolean> {
  const size = await sizeOf(reading, LARGEST_RESPONSE)
  if (size >= LARGEST_RESPONSE) throw tooLarge()
  if (size < LARGE) return true
  return new Promise((enter) => {
    waiting.push({ size, res, enter })
    // A client that gives up frees its position in the queue.
    res.once('close', letIn)
    letIn()
  })
}

function letIn(): void {
  for (let next = waiting[0]; next; next = waiting[0]) {
    const { size, res, enter } = next
    const isWanted = !res.closed
    if (isWanted) {
      if (taken > 0 && taken + size > ROOM) return
      taken += size
      res.once('close', () => {
        taken -= size
        letIn()
      })
    }
    waiting.shift()
    enter(isWanted)
  }
}

export function tooLarge(): RequestError {
  return new RequestError(
    'ANSWER_TOO_LARGE',
    'The response would be larger than 256 MB. Ask for fewer rows with _limit, _page or a filter, or leave out _embed and _expand.',
  )
}

export async function sizeOf(reading: Reading, limit: number): Promise<number> {
  if (reading.joined) return reading.joined.sizeUpTo(limit)
  const pace = new Pace()
  let size = 0
  for (const part of partsOf(reading.data)) {
    size += sizeUpTo(limit - size, part, 1)
    if (size >= limit) break
    if (pace.isDue) await pace.turn()
  }
  return size
}

function* partsOf(data: unknown): Generator<unknown, void> {
  if (Array.isArray(data)) yield* data
  else if (isObject(data)) for (const part of Object.values(data)) yield* Array.isArray(part) ? part : [part]
  else yield data
}

export const LARGE = 32 * 1024 * 1024

const LIMIT = 256 * 1024 * 1024

let held = 0

/** Counts a body until it is garbage: no cache or slow client references it. */
const bodies = new FinalizationRegistry<number>((size) => {
  held -= size
})

/** Reserves memory for a response of about this size while it is rendered; false if there is none. */
export function reserve(size: number): boolean {
  if (size >= LARGE || held + size > LIMIT) return false
  held += size
  return true
}

export function release(size: number): void {
  held -= size
}

/** Joins the pieces of a body, which counts as held. */
export function joinPieces(pieces: readonly Uint8Array[], length: number): Buffer {
  const body = Buffer.concat(pieces, length)
  held += length
  bodies.register(body, length)
  return body
}

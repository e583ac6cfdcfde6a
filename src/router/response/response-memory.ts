import type { Response } from 'express'
import { sizeUpTo } from '../../json/json-size.ts'
import { isObject } from '../../json/values.ts'
import { Pace } from '../../util/pace.ts'
import type { Reading } from '../read.ts'
import { RequestError } from '../request-error.ts'

/** Maximum size of a response that can be larger than the data, or must be held: no browser can use more. */
export const LARGEST_RESPONSE = 256 * 1024 * 1024

/** Memory for large responses that must be held completely. */
const ROOM = 2 * LARGEST_RESPONSE

interface Waiting {
  readonly size: number
  readonly res: Response
  readonly enter: (isWanted: boolean) => void
}

let taken = 0
const waiting: Waiting[] = []

/** Waits for room to hold a response until its client has read it. Resolves to whether the client is still there. */
export async function waitForRoom(reading: Reading, res: Response): Promise<boolean> {
  const size = await sizeOf(reading, LARGEST_RESPONSE)
  if (size >= LARGEST_RESPONSE) throw tooLarge()
  if (size < LARGE) return true
  return new Promise((enter) => {
    waiting.push({ size, res, enter })
    // If a waiting client gives up, the ones behind it need not wait for its room.
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

/** A lower bound for the bytes of a response, counted no further than the limit. */
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

/** The rows of a list, or of all lists in an object. */
function* partsOf(data: unknown): Generator<unknown, void> {
  if (Array.isArray(data)) yield* data
  else if (isObject(data)) for (const part of Object.values(data)) yield* Array.isArray(part) ? part : [part]
  else yield data
}

/** Larger responses are sent as they are written, and not held in memory. */
export const LARGE = 32 * 1024 * 1024

/** Total bytes of bodies. */
const LIMIT = 256 * 1024 * 1024

let held = 0

/** A body counts until it is garbage: neither a cache nor a slow client references it. */
const bodies = new FinalizationRegistry<number>((size) => {
  held -= size
})

/** Room for a response of about this size while it is written; undefined if there is none. */
export function takeRoom(size: number): Room | undefined {
  return size < LARGE && held + size <= LIMIT ? new Room(size) : undefined
}

class Room {
  readonly #size: number

  constructor(size: number) {
    this.#size = size
    held += size
  }

  /** A body of pieces, which takes room of its own. */
  join(pieces: readonly Uint8Array[], length: number): Buffer {
    const body = Buffer.allocUnsafeSlow(length)
    let end = 0
    for (const piece of pieces) {
      body.set(piece, end)
      end += piece.length
    }
    held += length
    bodies.register(body, length)
    return body
  }

  release(): void {
    held -= this.#size
  }
}

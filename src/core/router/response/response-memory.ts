import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import { sizeUpTo } from '../../kernel/json/json-size.ts'
import { isObject } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { RenderableResult } from '../read.ts'
import { RequestError } from '../request-error.ts'

/** For responses that can be larger than the data, or must be held in memory: no browser can use more. */
export const LARGEST_RESPONSE = 256 * 1024 * 1024

/** From this size on, a response is streamed if it can be. */
export const LARGE = 32 * 1024 * 1024

/** For all responses that are being rendered, or sent from memory. */
const ROOM = LARGEST_RESPONSE

/** Smaller ones are not counted: they cost less than their connections. */
const SMALL = 64 * 1024

interface Waiting {
  readonly size: number
  readonly res: Response
  readonly enter: (isWanted: boolean) => void
}

let taken = 0
const waiting: Waiting[] = []

/** Waits for memory to hold a response until it is sent. Resolves to whether the client is still connected. */
export async function waitForRoom(reading: RenderableResult, res: Response): Promise<boolean> {
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
      res.once('close', () => release(size))
    }
    waiting.shift()
    enter(isWanted)
  }
}

/** Takes room for a response while it is rendered; false if it has to be streamed. */
export function reserve(size: number): boolean {
  if (size >= LARGE || taken + size > ROOM) return false
  taken += size
  return true
}

export function release(size: number): void {
  taken -= size
  letIn()
}

/** How many clients each body is being sent to. */
const clients = new WeakMap<Buffer, number>()

/** Counts a body until all clients have it, or are gone. */
export function holdUntilSent(body: Buffer, res: ServerResponse): void {
  if (body.length < SMALL) return
  const count = clients.get(body) ?? 0
  if (count === 0) taken += body.length
  clients.set(body, count + 1)
  res.once('close', () => {
    const left = (clients.get(body) ?? 1) - 1
    clients.set(body, left)
    if (left === 0) release(body.length)
  })
}

export function tooLarge(): RequestError {
  return new RequestError(
    'ANSWER_TOO_LARGE',
    'The response would be larger than 256 MB. Ask for fewer rows with _limit, _page or a filter, or leave out _embed and _expand.',
  )
}

export async function sizeOf(reading: RenderableResult, limit: number): Promise<number> {
  if (reading.joined) return reading.joined.sizeUpTo(limit)
  const pace = new TimeSlice()
  let size = 0
  for (const part of partsOf(reading.data)) {
    size += sizeUpTo(limit - size, part, 1)
    if (size >= limit) break
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return size
}

function* partsOf(data: unknown): Generator<unknown, void> {
  if (Array.isArray(data)) yield* data
  else if (isObject(data)) for (const part of Object.values(data)) yield* Array.isArray(part) ? part : [part]
  else yield data
}

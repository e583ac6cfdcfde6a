import type { Response } from 'express'
import type { Reading } from '../read.ts'
import { LARGEST_ANSWER, sizeOf, tooLarge } from './answer-size.ts'
import { LARGE } from './kept-pieces.ts'

/** Memory for large responses that must be held completely. */
const ROOM = 2 * LARGEST_ANSWER

interface Waiting {
  readonly size: number
  readonly res: Response
  readonly enter: (isWanted: boolean) => void
}

let taken = 0
const waiting: Waiting[] = []

/** Waits for room to hold a response until its client has read it. Resolves to whether the client is still there. */
export async function admit(reading: Reading, res: Response): Promise<boolean> {
  const size = await sizeOf(reading)
  if (size >= LARGEST_ANSWER) throw tooLarge()
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

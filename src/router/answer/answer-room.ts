import type { Response } from 'express'
import type { Reading } from '../read.ts'
import { LARGEST_ANSWER, sizeOf, tooLarge } from './answer-size.ts'
import { LARGE } from './kept-pieces.ts'

/** What large answers may take that have to be in memory as a whole. */
const ROOM = 2 * LARGEST_ANSWER

interface Waiting {
  readonly size: number
  readonly res: Response
  readonly enter: (isWanted: boolean) => void
}

let taken = 0
const waiting: Waiting[] = []

/**
 * To be asked before an answer is made that has to be in memory as a whole until its client has read it: what a `render`
 * of the user's own makes, and what others may change while it is sent. A promise where others have to leave first:
 * it tells whether the client is still there.
 * @param mayBeAsLargeAsData whether it is refused only where relations make it larger than the data is
 */
export function admit(
  reading: Reading,
  res: Response,
  mayBeAsLargeAsData: boolean,
): Promise<boolean> | undefined {
  const size = sizeOf(reading)
  if (size >= LARGEST_ANSWER && (reading.hasRelations || !mayBeAsLargeAsData)) throw tooLarge()
  if (size < LARGE) return undefined
  return new Promise((enter) => {
    waiting.push({ size, res, enter })
    // Those behind one who loses patience need not wait for its room.
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

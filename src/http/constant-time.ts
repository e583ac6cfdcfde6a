import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets. Hashed first, so that neither content nor length shows in the time it takes. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

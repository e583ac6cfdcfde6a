import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets. Hashed first, so that timing reveals neither content nor length. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import { STRETCH, type Work } from '../../work/in-slices.ts'
import { isRecord } from './container.ts'

/** Whether two values are the same JSON, whatever the order of their fields. The work is bounded by the smaller value. */
export function* isEqual(one: unknown, other: unknown): Work<boolean> {
  const left: [unknown, unknown][] = [[one, other]]
  let steps = 0
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false
      for (let at = 0; at < a.length; at++) {
        if (!note(a[at], b[at])) return false
        if (++steps % STRETCH === 0) yield
      }
    } else if (isRecord(a) && isRecord(b)) {
      const names = Object.keys(a)
      if (names.length !== Object.keys(b).length) return false
      for (const name of names) {
        if (!Object.hasOwn(b, name) || !note(a[name], b[name])) return false
        if (++steps % STRETCH === 0) yield
      }
    } else return false
  }
  return true

  /** Compares scalars immediately and queues containers. */
  function note(a: unknown, b: unknown): boolean {
    if (typeof a !== 'object' || a === null) return a === b
    left.push([a, b])
    return true
  }
}

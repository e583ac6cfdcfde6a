import { STRETCH, type Work } from '../../work/in-slices.ts'
import { type Container, copySymbols, isRecord, setField } from './container.ts'

/** A deep copy. Users may change rows of live data in place, so two fields must never share an object. */
export function* deepCopy(value: unknown): Work<unknown> {
  const left: [from: Container, to: Container][] = []
  const copy = begin(value)
  let steps = 0
  for (let next = left.pop(); next; next = left.pop()) {
    const [from, to] = next
    if (Array.isArray(from) && Array.isArray(to)) {
      for (let at = 0; at < from.length; at++) {
        to.push(begin(from[at]))
        if (++steps % STRETCH === 0) yield
      }
    } else if (isRecord(from) && isRecord(to)) {
      for (const name of Object.keys(from)) {
        setField(to, name, begin(from[name]))
        if (++steps % STRETCH === 0) yield
      }
      copySymbols(from, to)
    }
  }
  return copy

  /** A scalar, or an empty list or object that is filled later. */
  function begin(part: unknown): unknown {
    if (!Array.isArray(part) && !isRecord(part)) return part
    const empty: Container = Array.isArray(part) ? [] : {}
    left.push([part, empty])
    return empty
  }
}

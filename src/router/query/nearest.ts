import { editDistance } from '../../util/edit-distance.ts'

/** Longer names are not compared: such names are not typos. */
export const LONGEST_NAME = 40
const MOST_CANDIDATES = 400

export interface Nearest {
  readonly name: string
  readonly distance: number
}

/** The candidate that a name was probably meant to be. Case, spaces, and `_` or `-` between words hardly count. */
export function findNearest(name: string, candidates: readonly string[]): Nearest | undefined {
  const plain = name.length > LONGEST_NAME ? '' : withoutStyle(name)
  if (plain === '') return undefined
  const most = Math.min(2, Math.floor(plain.length / 3) + (plain.length === 2 ? 1 : 0))
  let best: Nearest | undefined
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    if (candidate.length > LONGEST_NAME) continue
    const steps = editDistance(plain, withoutStyle(candidate), most)
    if (steps === undefined) continue
    // The same in another style is nearer than anything else.
    const distance = steps + (candidate === name ? 0 : 0.5)
    if (!best || distance < best.distance) best = { name: candidate, distance }
  }
  return best
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '')
}

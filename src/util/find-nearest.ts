/** Longer names are not typos. */
export const LONGEST_NAME = 40
const MOST_CANDIDATES = 400

interface Nearest {
  readonly name: string
  readonly distance: number
}

/**
 * The most similar candidate, if one is close enough to be what was meant. Case, spaces, and `_` or `-` between words hardly
 * count.
 * @param mostSteps letters that may differ, in a long name
 */
export function findNearest(name: string, candidates: readonly string[], mostSteps = 2): Nearest | undefined {
  const plain = name.length > LONGEST_NAME ? '' : withoutStyle(name)
  if (plain === '') return undefined
  const most = Math.min(mostSteps, Math.floor(plain.length / 3) + (plain.length === 2 ? 1 : 0))
  let best: Nearest | undefined
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    if (candidate.length > LONGEST_NAME) continue
    const steps = editDistance(plain, withoutStyle(candidate), most)
    if (steps === undefined) continue
    const distance = steps + (candidate === name ? 0 : 0.5)
    if (!best || distance < best.distance) best = { name: candidate, distance }
  }
  return best
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '')
}

/** Letters to add, remove, replace or swap with their neighbor; undefined if more than `most`. */
function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let [older, before]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const cost = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (older[j - 2] ?? 0) + 1 : most + 1,
      )
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return undefined
    ;[older, before] = [before, row]
  }
  const distance = before[b.length] ?? 0
  return distance <= most ? distance : undefined
}

/** Limits for what clients send, since all others wait meanwhile. Longer names are not typos. */
export const LONGEST_NAME = 40
const MOST_CANDIDATES = 400

interface Nearest {
  readonly name: string
  readonly distance: number
}

/** `nearestOf` for a name that a client sends. */
export function findNearest(name: string, candidates: readonly string[]): Nearest | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const some = candidates.slice(0, MOST_CANDIDATES).filter(({ length }) => length <= LONGEST_NAME)
  return nearestOf(name, some, 2)
}

/**
 * The most similar candidate, if one is close enough to be what was meant. Case, spaces, and `_` or `-` between words hardly
 * count.
 * @param mostSteps letters that may differ, in a long name
 */
export function nearestOf(
  name: string,
  candidates: readonly string[],
  mostSteps: number,
): Nearest | undefined {
  const plain = withoutStyle(name)
  if (plain === '') return undefined
  let most = Math.min(mostSteps, Math.floor(plain.length / 3) + (plain.length === 2 ? 1 : 0))
  let best: Nearest | undefined
  for (const candidate of candidates) {
    const steps = editDistance(plain, withoutStyle(candidate), most)
    if (steps === undefined) continue
    const distance = steps + (candidate === name ? 0 : 0.5)
    if (!best || distance < best.distance) best = { name: candidate, distance }
    most = steps
  }
  return best
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '')
}

/** Letters to add, remove, replace or swap with their neighbor; undefined if more than `most`. */
function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  const far = most + 1
  const newRow = () => new Array<number>(b.length + 1).fill(far)
  let [older, before, row] = [newRow(), newRow().map((_, at) => at), newRow()]
  for (let i = 1; i <= a.length; i++) {
    // All others need more steps.
    const first = Math.max(1, i - most)
    const last = Math.min(b.length, i + most)
    let least = first === 1 ? i : far
    row[first - 1] = least
    for (let j = first; j <= last; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const cost = Math.min(
        (before[j] ?? far) + 1,
        (row[j - 1] ?? far) + 1,
        (before[j - 1] ?? far) + (isSame ? 0 : 1),
        isSwapped ? (older[j - 2] ?? far) + 1 : far,
      )
      row[j] = cost
      least = Math.min(least, cost)
    }
    if (least > most) return undefined
    ;[older, before, row] = [before, row, older]
  }
  const distance = before[b.length] ?? far
  return distance <= most ? distance : undefined
}

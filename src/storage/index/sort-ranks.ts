import { inStretches, type Work } from '../../work/in-slices.ts'
import { compareScalars, isMissing, type Scalar } from './scalar.ts'

/** Number of values sorted natively at a time. */
const RUN = 16_384

/**
 * The ranks in the order of their values (stable). Values are counted, and only the distinct ones
 * are sorted, in native order: a custom comparator would be called a million times.
 */
export function* sortRanks(ranks: readonly number[], values: readonly unknown[]): Work<Uint32Array> {
  const places = new Map<unknown, number>()
  yield* inStretches(values.length, (at) => {
    places.set(values[at], (places.get(values[at]) ?? 0) + 1)
  })
  const different = yield* sortDifferent([...places.keys()])
  let next = 0
  yield* inStretches(different.length, (at) => {
    const size = places.get(different[at]) ?? 0
    places.set(different[at], next)
    next += size
  })
  const sorted = new Uint32Array(ranks.length)
  yield* inStretches(ranks.length, (at) => {
    const place = places.get(values[at]) ?? 0
    sorted[place] = ranks[at] ?? 0
    places.set(values[at], place + 1)
  })
  return sorted
}

function* sortDifferent(values: readonly unknown[]): Work<readonly unknown[]> {
  const scalars = values.filter((value): value is Scalar => !isMissing(value))
  // `sort` always puts undefined last.
  const missing = values.filter(isMissing).sort()
  let runs: (readonly Scalar[])[] = []
  for (let start = 0; start < scalars.length; start += RUN) {
    runs.push(sortRun(scalars.slice(start, start + RUN)))
    yield
  }
  while (runs.length > 1) runs = yield* mergePairs(runs)
  return [...runs.flat(), ...missing]
}

function sortRun(values: Scalar[]): readonly Scalar[] {
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length > 0 ? [...Float64Array.from(numbers).sort()] : values.sort()
}

function* mergePairs(runs: readonly (readonly Scalar[])[]): Work<(readonly Scalar[])[]> {
  const merged: (readonly Scalar[])[] = []
  for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []))
  return merged
}

function* merge(left: readonly Scalar[], right: readonly Scalar[]): Work<readonly Scalar[]> {
  const merged: Scalar[] = []
  let [fromLeft, fromRight] = [0, 0]
  yield* inStretches(left.length + right.length, () => {
    const isLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compareScalars(left[fromLeft], right[fromRight]) < 0)
    const next = isLeft ? left[fromLeft++] : right[fromRight++]
    if (next !== undefined) merged.push(next)
  })
  return merged
}

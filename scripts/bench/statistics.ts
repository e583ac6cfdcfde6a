import meanBy from 'lodash/meanBy.js'
import sumBy from 'lodash/sumBy.js'

/** The middle value, or the mean of the middle two; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  return (inOrder(values, Math.floor(middle)) + inOrder(values, Math.ceil(middle))) / 2
}

/** The smallest value that this share of all values does not exceed; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  return inOrder(values, Math.max(0, Math.ceil(share * values.length) - 1))
}

/**
 * How time grows with rows: the least-squares slope of log(time) over log(rows). 0 is not at all, 1 is in
 * proportion. NaN with fewer than two sizes.
 */
export function logLogSlope(points: readonly { rows: number; ms: number }[]): number {
  const logs = points.map(({ rows, ms }) => ({ x: Math.log(rows), y: Math.log(ms) }))
  const [meanX, meanY] = [meanBy(logs, 'x'), meanBy(logs, 'y')]
  return sumBy(logs, ({ x, y }) => (x - meanX) * (y - meanY)) / sumBy(logs, ({ x }) => (x - meanX) ** 2)
}

function inOrder(values: readonly number[], place: number): number {
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN
}

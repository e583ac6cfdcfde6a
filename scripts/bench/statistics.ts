/** A point of a measurement: how many rows there were, and what one request took. */
export interface Point {
  readonly rows: number
  readonly ms: number
}

/** The middle value, or the mean of the middle two; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** The smallest value that this share of all values does not exceed; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/**
 * How time grows with rows: the least-squares slope of log(time) over log(rows). 0 is not at all, 1 is in
 * proportion. NaN with fewer than two sizes.
 */
export function logLogSlope(points: readonly Point[]): number {
  const logs = points.map(({ rows, ms }) => ({ x: Math.log(rows), y: Math.log(ms) }))
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  return covariance / variance
}

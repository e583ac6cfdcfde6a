import { getHeapStatistics } from 'node:v8'
import { ConfigError } from '../../errors.ts'

/** What a row takes in memory beside its text, and what its text takes: measured, and on the safe side. */
const BYTES_PER_ROW = 150
const BYTES_PER_CHARACTER = 2

/** Refuses data that does not fit: every server holds all rows in memory. */
export function checkMemory(
  { rows, bytes }: { readonly rows: number; readonly bytes: number },
  { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics(),
): void {
  const needed = rows * BYTES_PER_ROW + bytes * BYTES_PER_CHARACTER
  if (used + needed <= limit) return
  const mb = (size: number) => `${Math.ceil(size / 1024 / 1024).toLocaleString('en')} MB`
  throw new ConfigError(
    `source: the ${rows.toLocaleString('en')} rows need about ${mb(needed)} of memory, and this process may use ${mb(limit)}. Allow more, with NODE_OPTIONS=--max-old-space-size=${Math.ceil((used + 1.5 * needed) / 1024 / 1024)}, or serve fewer rows.`,
  )
}

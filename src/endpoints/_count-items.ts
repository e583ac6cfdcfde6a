import type { Data } from '../storage/types.ts'

/** Number of items per collection. Singular resources are not counted. */
export function countItems(data: Data): Record<string, number> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
  )
}

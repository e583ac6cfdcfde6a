import type { Computed } from '../storage/resource-rules.ts'
import { copyOf } from './open-db.ts'
import type { ParsedLogic } from './parse-logic.ts'

/** The computed fields of each resource, as JSON. A function that throws leaves its field out, and is reported once. */
export function computedIn(
  { resources, name }: ParsedLogic,
  report: (line: string) => void,
): ReadonlyMap<string, Computed> {
  const computed = new Map<string, Computed>()
  for (const [resource, { computed: functions }] of resources) {
    const fields = Object.entries(functions).map(([field, compute]) => {
      let isReported = false
      const safely: Computed[string] = (row) => {
        try {
          const value = compute(row)
          if (value instanceof Promise) throw new TypeError('a computed field cannot wait for anything')
          return copyOf(value)
        } catch (error) {
          const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
          if (!isReported) report(`${name}: ${resource}.computed.${field} failed, and is left out: ${why}`)
          isReported = true
          return undefined
        }
      }
      return [field, safely] as const
    })
    if (fields.length > 0) computed.set(resource, Object.fromEntries(fields))
  }
  return computed
}

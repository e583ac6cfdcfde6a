import { fieldText } from '../../storage/data/lookup.ts'
import type { Row } from '../../storage/types.ts'

export interface IdSurvey {
  /** Whether any row has one. */
  readonly hasIds: boolean
  /** Ids that occur in more than one row, in the order of their second occurrence. */
  readonly repeated: readonly string[]
}

/** Checks every row once. Ascending numbers, as in most files, take the fast path. */
export function surveyIds(rows: readonly Row[], id: string): IdSurvey {
  if (isRising(rows, id)) return { hasIds: true, repeated: [] }
  const seen = new Set<unknown>()
  const repeated = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row, id)
    if (key === undefined) continue
    if (seen.has(key)) repeated.add(String(key))
    else seen.add(key)
  }
  return { hasIds: seen.size > 0, repeated: [...repeated] }
}

/** Equal for ids that read the same. Numbers are not turned into strings, which would take most of the time. */
function keyOf(row: Row, id: string): unknown {
  const value: unknown = row?.[id]
  if (typeof value === 'number') return value
  const text = fieldText(row, id)
  const number = Number(text)
  return String(number) === text ? number : text
}

function isRising(rows: readonly Row[], id: string): boolean {
  let last = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const value: unknown = row?.[id]
    if (typeof value !== 'number' || value <= last) return false
    last = value
  }
  return true
}

import { idOf } from '../../storage/index/id-index.ts'
import type { Row } from '../../storage/types.ts'

/** What the ids of a collection are like. */
export interface IdSurvey {
  /** Whether any row has one. */
  readonly hasIds: boolean
  /** Those that stand in more than one row, in the order of their second coming. */
  readonly repeated: readonly string[]
}

/** Looks at every row once. Numbers that only rise, as most files have them, cost next to nothing. */
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

/** The same for ids of the same text. Numbers are not turned into texts, which would take most of the time. */
function keyOf(row: Row, id: string): unknown {
  const value: unknown = row?.[id]
  if (typeof value === 'number') return value
  const text = idOf(row, id)
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

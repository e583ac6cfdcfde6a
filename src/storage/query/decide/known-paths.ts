import { STRETCH, type Work } from '../../../work/in-slices.ts'
import type { Row } from '../../types.ts'

/** Up to so many paths it is quicker to ask the rows about each than to gather all that they have. */
const FEW = 20

/** What is known of the fields that rows have. */
export interface Fields {
  /** Whether any row has the path, be it with the value null. */
  has(path: string): boolean
  readonly hasRows: boolean
}

/**
 * Tells which of the paths any row has. Where they are many, the names of fields are gathered once: a query may name
 * thousands that do not exist, and each would go through all the rows in vain.
 * @param ask tells it of one path, going through the rows
 */
export function* knownPaths(
  rows: readonly (Row | undefined)[],
  paths: ReadonlySet<string>,
  ask: (path: string) => Work<boolean>,
): Work<Fields> {
  const hasRows = rows.length > 0
  const known = paths.size > FEW ? yield* namesOf(rows.slice()) : new Set<string>()
  for (const path of paths) {
    const isAsked = !known.has(path) && (paths.size <= FEW || /[.[]/.test(path))
    if (isAsked && (yield* ask(path))) known.add(path)
  }
  return { has: (path) => known.has(path), hasRows }
}

function* namesOf(rows: readonly (Row | undefined)[]): Work<Set<string>> {
  const names = new Set<string>()
  let seen = 0
  for (const row of rows) {
    for (const name of Object.keys(Object(row))) {
      names.add(name)
      if (++seen % (16 * STRETCH) === 0) yield
    }
  }
  return names
}

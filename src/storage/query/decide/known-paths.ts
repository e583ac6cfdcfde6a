import { STRETCH, type Work } from '../../../work/in-slices.ts'
import type { Row } from '../../types.ts'

/** Up to this many paths, checking the rows for each is faster than collecting all field names. */
const FEW = 20

/** Which fields rows have. */
export interface Fields {
  /** Whether any row has the path, even if its value is null. */
  has(path: string): boolean
  readonly hasRows: boolean
}

/**
 * Finds which of the paths any row has. If there are many, field names are collected once: a query may name
 * thousands that do not exist, and each would cost a full scan.
 * @param ask checks one path by scanning the rows
 */
export function* knownPaths(
  rows: Pick<readonly (Row | undefined)[], 'length' | 'slice'>,
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

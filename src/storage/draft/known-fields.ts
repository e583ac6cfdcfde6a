import type { Work } from '../../work/in-slices.ts'
import { type Decided, decide } from '../query/decide/decide.ts'
import { pathsOf } from '../query/decide/paths-of.ts'
import { decideFor, someHas } from '../query/query.ts'
import type { ListQuery, Naming, Row } from '../types.ts'

/** What is known of the fields of rows before a filter changes any of them. */
export interface KnownFields {
  readonly hasRows: boolean
  /** Whether any row has the path, even if its value is null. */
  has(path: string): Work<boolean>
  /**
   * What a query means for these rows.
   * @param isDeclared whether a path is known, though no row may have it
   */
  decide(asked: ListQuery, isDeclared: (path: string) => boolean): Work<Decided>
}

/** A look at the rows tells. */
export function fieldsOfRows(rows: readonly Row[], naming: Naming): KnownFields {
  return {
    hasRows: rows.length > 0,
    has: (path) => someHas(rows, path),
    decide: (asked, isDeclared) => decideFor(rows, asked, naming, isDeclared),
  }
}

/** Something else tells, for one path after the other. */
export function fieldsByPath(
  { hasRows, has }: Pick<KnownFields, 'hasRows' | 'has'>,
  naming: Naming,
): KnownFields {
  return {
    hasRows,
    has,
    *decide(asked, isDeclared) {
      const known = new Set<string>()
      for (const path of pathsOf(asked, naming)) if (yield* has(path)) known.add(path)
      return decide(asked, { hasRows, has: (path) => known.has(path) || isDeclared(path) }, naming)
    },
  }
}

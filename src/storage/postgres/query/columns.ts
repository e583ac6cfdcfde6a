import { compilePath } from '../../query/path.ts'
import type { ColumnFacts, Shape } from '../layout/shape.ts'

/** Values of statements, each with its `$1`, `$2`, … */
export class Values {
  readonly all: unknown[] = []

  /** @returns its place in the statement */
  add(value: unknown): string {
    this.all.push(value)
    return `$${this.all.length}`
  }
}

/** The slots that a statement may use an index of, and `words`. */
export function slotsIn(sql: string): ReadonlySet<string> {
  return new Set([...sql.matchAll(/\b(?:[nt]\d+|words(?= LIKE))\b/g)].map(([slot]) => slot))
}

/** No row has it. */
export const NOWHERE: ColumnFacts = { count: 0, bits: 0, n: null, t: null }

/**
 * What the described rows have at the path of a query; undefined if only the rows themselves can tell: a path into the
 * characters of texts or to places of lists, or one that may be the name of a field as well.
 */
export function columnOf(shape: Shape, path: string): ColumnFacts | undefined {
  if (!isPlain(path) || (path.includes('.') && shape.dotted > 0)) return undefined
  return shape.column(path) ?? NOWHERE
}

function isPlain(path: string): boolean {
  const { steps } = compilePath(path)
  if (steps.length === 0) return true
  if (/[[\]]/.test(path)) return false
  return steps.every(({ name, isInherited }) => !isInherited && name !== '' && !/^\d+$/.test(name))
}

/**
 * The column of its numbers, and that of its texts; undefined if it never had such, or if there was no slot left: then they
 * are not complete.
 */
export function slotsOf({ n, t }: ColumnFacts): {
  readonly numbers: string | undefined
  readonly texts: string | undefined
  readonly areComplete: boolean
} {
  return {
    numbers: n !== null && n >= 0 ? `n${n}` : undefined,
    texts: t !== null && t >= 0 ? `t${t}` : undefined,
    areComplete: (n ?? 0) >= 0 && (t ?? 0) >= 0,
  }
}

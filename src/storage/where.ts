import type { Condition, Where } from './types.ts'

/** All conditions, at any depth. */
export function leavesOf(where: Where): readonly Condition[] {
  if ('and' in where) return where.and.flatMap(leavesOf)
  if ('or' in where) return where.or.flatMap(leavesOf)
  return 'not' in where ? leavesOf(where.not) : [where]
}

/** The name of the parameter that asks for a condition, as it was or could be written. */
export function parameterOf({ path, op, orElse }: Condition): string {
  return orElse || op === 'eq' ? path : `${path}_${op}`
}

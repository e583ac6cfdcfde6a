import type { Condition, Where } from './types.ts'

/** All conditions, at any depth. */
export function leavesOf(where: Where): readonly Condition[] {
  if ('and' in where) return where.and.flatMap(leavesOf)
  if ('or' in where) return where.or.flatMap(leavesOf)
  return 'not' in where ? leavesOf(where.not) : [where]
}

import type { Condition, ListQuery, Where } from './types.ts'

export function leavesOf(where: Where): readonly Condition[] {
  if ('and' in where) return where.and.flatMap(leavesOf)
  if ('or' in where) return where.or.flatMap(leavesOf)
  return 'not' in where ? leavesOf(where.not) : [where]
}

export function flatten(where: readonly Where[]): readonly Where[] {
  const parts: Where[] = []
  for (const one of where) parts.push(...('and' in one ? flatten(one.and) : [one]))
  return parts
}

export function everyWhere({ where, words = [] }: Pick<ListQuery, 'where' | 'words'>): readonly Where[] {
  return [...where, ...words.flatMap(({ means }) => means.where ?? [])]
}

export function everyLeaf(query: Pick<ListQuery, 'where' | 'words'>): readonly Condition[] {
  const leaves: Condition[] = []
  for (const one of query.words ? everyWhere(query) : query.where) {
    if ('path' in one) leaves.push(one)
    else for (const leaf of leavesOf(one)) leaves.push(leaf)
  }
  return leaves
}

/** With other conditions in place of each. A `not` or an `or` of which nothing is left is left out. */
export async function replaceLeaves(
  all: readonly Where[],
  replace: (leaf: Condition) => Promise<readonly Where[]>,
): Promise<readonly Where[]> {
  const replaced: Where[] = []
  for (const one of all) {
    if ('path' in one) replaced.push(...(await replace(one)))
    else if ('and' in one) replaced.push({ and: await replaceLeaves(one.and, replace) })
    else if ('not' in one) for (const not of await replaceLeaves([one.not], replace)) replaced.push({ not })
    else {
      const or = await replaceLeaves(one.or, replace)
      if (or.length > 0 || one.or.length === 0) replaced.push({ or })
    }
  }
  return replaced
}

/** The parameter for a condition, as it was or could be written. */
export function parameterOf({ path, op, orElse }: Condition): string {
  return orElse || op === 'eq' ? path : `${path}_${op}`
}

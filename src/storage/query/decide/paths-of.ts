import type { Condition, ListQuery, Naming, Operator, Where } from '../../types.ts'

/** json-server 0.17.4's operators, which never look for a field of that name. */
const OLD: ReadonlySet<Operator> = new Set(['ne', 'gte', 'lte', 'like'])

/** Whether its meaning does not depend on the fields. */
export function isCertain({ op, required, orElse, place }: Condition): boolean {
  return required === true || (OLD.has(op) && orElse === undefined && place === undefined)
}

/** The paths that the meaning of a query depends on. */
export function pathsOf({ where, words, sort }: ListQuery, naming: Naming): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const one of where) addPaths(one, naming, paths)
  for (const { name, means } of words ?? []) {
    paths.add(name)
    for (const one of means.where ?? []) addPaths(one, naming, paths)
    addSorts(means.sort ?? [], paths)
  }
  addSorts(sort, paths)
  return paths
}

function addPaths(where: Where, naming: Naming, paths: Set<string>): void {
  if ('and' in where) for (const part of where.and) addPaths(part, naming, paths)
  else if ('or' in where) for (const part of where.or) addPaths(part, naming, paths)
  else if ('not' in where) addPaths(where.not, naming, paths)
  else if (!isCertain(where)) {
    paths.add(where.path)
    if (where.path === 'ids') paths.add(naming.id)
    if (where.orElse) paths.add(where.orElse.path)
  }
}

function addSorts(sort: ListQuery['sort'], paths: Set<string>): void {
  for (const { path } of sort) if (path.startsWith('-')) paths.add(path)
}

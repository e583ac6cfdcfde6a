import type { ListQuery, SortKey, Where } from '../../types.ts'
import { isClean } from '../layout/clean-text.ts'
import { BOOLEAN, INSIDE_LIST, LIST, NULL, NUMBER, OBJECT, TEXT } from '../layout/row-facts.ts'
import type { Shape } from '../layout/shape.ts'
import { columnOf, slotsOf, type Values } from './columns.ts'
import { all, any, compileCondition, isSortable, not, type Test } from './compile-condition.ts'
import { pattern } from './narrow-by-words.ts'

/** What rows must pass, as SQL. Odd rows have to be looked at themselves. */
export function compileFilter(
  { where, search }: Pick<ListQuery, 'where' | 'search'>,
  shape: Shape,
  given: Values,
): Test {
  const tests = where.map((one) => compileWhere(one, shape, given))
  const described = all(search === undefined ? tests : [...tests, compileSearch(search, shape, given)])
  if (shape.odd === 0 || (where.length === 0 && search === undefined)) return described
  return { sql: `(odd OR ${described.sql})`, isExact: false }
}

function compileWhere(where: Where, shape: Shape, given: Values): Test {
  if ('and' in where) return all(where.and.map((part) => compileWhere(part, shape, given)))
  if ('or' in where) return any(where.or.map((part) => compileWhere(part, shape, given)))
  if ('not' in where) return not(compileWhere(where.not, shape, given))
  return compileCondition(where, shape, given)
}

/** A line break stands between the words of a row. */
function compileSearch(search: string, { wordless }: Shape, given: Values): Test {
  if (!isClean(search)) return { sql: 'true', isExact: false }
  return {
    sql: `(${wordless === 0 ? '' : 'words IS NULL OR '}words LIKE ${given.add(pattern(search))})`,
    isExact: wordless === 0 && !search.includes('\n'),
  }
}

/**
 * The order of rows, as SQL; undefined if only JavaScript can sort them.
 * @param rows how many there are
 */
export function compileSort(sort: readonly SortKey[], shape: Shape, rows: number): string | undefined {
  const keys: string[] = []
  for (const key of sort) {
    const compiled = compileKey(key, shape, rows)
    if (compiled === undefined) return undefined
    if (compiled !== '') keys.push(compiled)
  }
  return [...keys, 'pos'].join(', ')
}

function compileKey({ path, order }: SortKey, shape: Shape, rows: number): string | undefined {
  const facts = shape.odd === 0 ? columnOf(shape, path) : undefined
  if (!facts || facts.bits & (LIST | OBJECT | INSIDE_LIST)) return undefined
  const kinds = facts.bits & (NUMBER | TEXT | BOOLEAN)
  // Null comes before what is missing.
  if (facts.bits & NULL && facts.count < rows) return undefined
  // Nothing to tell rows apart by.
  if (kinds === 0) return ''
  const { numbers, texts, areComplete } = slotsOf(facts)
  if (!areComplete || (kinds & TEXT && !isSortable(facts.bits))) return undefined
  const slot = kinds === NUMBER ? numbers : kinds === TEXT || kinds === BOOLEAN ? texts : undefined
  // Several kinds compare in circles.
  if (slot === undefined) return undefined
  return order === 'asc' ? `${slot} ASC NULLS LAST` : `${slot} DESC NULLS FIRST`
}

/** The same order from its end. An index is walked backwards for it. */
export function reversed(order: string): string {
  return order
    .split(', ')
    .map((key) => {
      const [slot] = key.split(' ')
      if (key === slot) return `${slot} DESC`
      return key.includes(' DESC ') ? `${slot} ASC NULLS LAST` : `${slot} DESC NULLS FIRST`
    })
    .join(', ')
}

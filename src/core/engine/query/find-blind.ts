import { OPERATORS } from '../../kernel/catalogue/operators.ts'
import type { Condition, Row, Where } from '../types.ts'
import { replaceLeaves } from '../where.ts'
import { compileFilter } from './scan.ts'

const PROBED = 'list.value'

/**
 * The first part of a filter that excludes no row, whatever the data: an empty prefix, a bound of -Infinity, `not` of
 * something impossible, an empty branch of `or`. Null and '' count as no data. @param id the field that every row has
 */
export async function findBlind(where: readonly Where[], id: string): Promise<Where | undefined> {
  for (const one of where) {
    const judgement = await judge(simplify(one), id)
    if (typeof judgement === 'object') return judgement
  }
  return undefined
}

/** Whether some rows can pass, or none; or the part that all pass. */
type Judgement = 'some' | 'none' | Where

async function judge(where: Where, id: string): Promise<Judgement> {
  if ('path' in where) return isLeftEmpty(where) ? where : await tryOut(where, [where], id)
  const isAnd = 'and' in where
  const parts = isAnd ? where.and : 'or' in where ? where.or : [where.not]
  let nones = 0
  for (const part of parts) {
    const judgement = await judge(part, id)
    if (typeof judgement === 'object') return judgement
    if (judgement === 'none') nones++
  }
  if ('not' in where) return nones > 0 ? where : 'some'
  if (isAnd && parts.length === 0) return where
  if (isAnd ? nones > 0 : nones === parts.length) return 'none'
  // Conditions on one field may together exclude nothing: `gte` 5 or `lt` 5.
  for (const group of byField(parts)) {
    const judgement = await tryOut(isAnd ? { and: group } : { or: group }, group, id)
    if (isAnd ? judgement === 'none' : typeof judgement === 'object') return judgement
  }
  return 'some'
}

async function tryOut(where: Where, parts: readonly Where[], id: string): Promise<Judgement> {
  const literals = parts.flatMap((part) => literalOf(part) ?? [])
  const rows = probesFor(literals, id)
  const onProbes = await replaceLeaves([where], async (leaf) => [{ ...leaf, path: PROBED }])
  const { length } = rows.filter(compileFilter(onProbes, undefined))
  if (length === rows.length) return where
  // A pattern may match something though it matches no probe.
  return length === 0 && !literals.some(isPattern) ? 'none' : 'some'
}

function literalOf(part: Where): Literal | undefined {
  const own = 'not' in part ? part.not : part
  return 'path' in own ? { ...own, isNegated: own !== part } : undefined
}

function byField(parts: readonly Where[]): readonly (readonly Where[])[] {
  const groups = new Map<string, Where[]>()
  for (const part of parts) {
    const path = literalOf(part)?.path
    if (path !== undefined) groups.set(path, [...(groups.get(path) ?? []), part])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** Without groups of one, groups in groups of their kind, and double negations. */
function simplify(where: Where): Where {
  if ('path' in where) return where.orElse ?? where
  if ('not' in where) {
    const not = simplify(where.not)
    return 'not' in not ? not.not : { not }
  }
  if ('and' in where) {
    const parts = where.and.map(simplify)
    const and = parts.flatMap((part) => ('and' in part && part.and.length > 0 ? part.and : [part]))
    return and.length === 1 && and[0] ? and[0] : { and }
  }
  const or = where.or.map(simplify).flatMap((part) => ('or' in part ? part.or : [part]))
  return or.length === 1 && or[0] ? or[0] : { or }
}

interface Literal extends Condition {
  readonly isNegated: boolean
}

/** An empty bound comes from a variable that was not set. */
function isLeftEmpty({ op, values }: Condition): boolean {
  return OPERATORS[op].compares === 'order' && values.includes('')
}

function isPattern({ op }: Literal): boolean {
  return OPERATORS[op].compares === 'pattern'
}

/** Rows that distinguish literals on one field. @param id the field that every row has, with one value, not empty */
function probesFor(literals: readonly Literal[], id: string): readonly Row[] {
  const isOfNumbers = literals.every(
    ({ op, values }) => OPERATORS[op].compares === 'order' && values.every(isNumeric),
  )
  const named = (some: readonly Literal[]) =>
    some.flatMap(namedIn).filter((value) => !isOfNumbers || typeof value === 'number')
  const isId = literals[0]?.path === id
  // Patterns may exclude the empty text.
  const mayBeEmpty = !isId && literals.some(isPattern)
  const texts = isOfNumbers ? [] : [...TEXTS, ...(mayBeEmpty ? [''] : [])]
  const values = [...NUMBERS, ...texts, ...named(literals)]
  const rows = values.map((value) => rowOf([value]))
  if (isId) return rows
  const isWanted = ({ op, isNegated }: Literal) => (OPERATORS[op].isNegated === true) === isNegated
  const wanted = named(literals.filter(isWanted))
  const unwanted = named(literals.filter((literal) => !isWanted(literal)))
  // A path may have several values in one row.
  for (const several of [values, wanted, unwanted]) if (several.length > 0) rows.push(rowOf(several))
  return literals.some(({ op }) => op === 'null') ? [...rows, {}] : rows
}

const NUMBERS = [-Number.MAX_VALUE, -1, 0, 1, Number.MAX_VALUE]
const TEXTS = ['\u0001', ' ', '0', 'a', '~', '日本', 'a'.repeat(40)]

function rowOf(values: readonly unknown[]): Row {
  return { list: values.map((value) => ({ value })) }
}

/** Values of a literal as text and as numbers; of a pattern, also its words and letters. */
function namedIn({ op, values }: Literal): readonly unknown[] {
  if (op === 'null') return []
  const parts = op === 'like' ? values.flatMap((text) => [...text, ...(text.match(/\w+/g) ?? [])]) : []
  const texts = [...new Set([...values, ...parts])].filter((text) => text !== '')
  return [...texts, ...texts.filter(isNumeric).map(Number).filter(Number.isFinite)]
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text))
}

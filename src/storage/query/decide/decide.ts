import { StorageError } from '../../../errors.ts'
import { isOperator } from '../../operators.ts'
import type { Condition, Ignored, ListQuery, Naming, SortKey, Where, Word } from '../../types.ts'
import { isCertain } from './paths-of.ts'

/** Which fields rows have. */
export interface Fields {
  /** Whether any row has the path, even if its value is null. */
  has(path: string): boolean
  readonly hasRows: boolean
}

/** A query whose every part is unambiguous, and the parts that were ignored. */
export interface Decided {
  readonly query: ListQuery
  readonly ignored: readonly Ignored[]
}

/**
 * Decides what a query means for rows with these fields. New keywords give way to data: `price_gt` is a field if any
 * row has one of that name, else an operator if any row has `price`, else ignored. Idempotent.
 */
export function decide(asked: ListQuery, fields: Fields, naming: Naming): Decided {
  const { words = [], ignored: meaningless = [], ...rest } = asked
  // Of what a field that nobody has was asked for, that is enough to know.
  const ignored = meaningless.filter(
    ({ reason, detail }) => reason !== 'matches nothing' || fields.has(detail ?? ''),
  )
  const context = { fields, naming, ignored }
  const meant = words.filter(({ name }) => !fields.has(name))
  const where: Where[] = []
  const parameters = new Map<string, Parameter>()
  for (const one of rest.where) {
    for (const meant of decideWhere(one, context)) {
      if (isParameter(one) && 'path' in meant)
        addParameter(where, meant, one.orElse !== undefined, parameters)
      else where.push(meant)
    }
  }
  for (const word of words) {
    const isMeant = meant.includes(word)
    for (const one of isMeant ? partsOf(word) : [fieldFor(word)]) where.push(...decideWhere(one, context))
    if (isMeant && word.means.ignored) ignored.push(word.means.ignored)
  }
  const { window = rest.window } = meant.find(({ means }) => means.window)?.means ?? {}
  const { sort = rest.sort } = meant.find(({ means }) => means.sort)?.means ?? {}
  return { query: { ...rest, where, window, sort: decideSort(sort, fields) }, ignored }
}

/** Whether a condition is a parameter of the URL, and not part of a filter in JSON or of the path. */
function isParameter(asked: Where): asked is Condition {
  return 'path' in asked && !asked.required && !asked.isJson
}

/** What a parameter means, and where that stands. */
interface Parameter {
  readonly meant: Condition
  readonly place: number
  readonly isNewSpelling: boolean
}

/** Two spellings of one operator are repeats of it: `price=10&price_eq=20`. */
function addParameter(
  where: Where[],
  meant: Condition,
  isNewSpelling: boolean,
  parameters: Map<string, Parameter>,
): void {
  const key = `${meant.op} ${meant.path}`
  const before = parameters.get(key)
  const isRepeat = before && (isNewSpelling || before.isNewSpelling)
  const values = isRepeat ? [...before.meant.values, ...meant.values] : meant.values
  const whole = isRepeat ? { ...meant, values: meant.op === 'null' ? values.slice(-1) : values } : meant
  const place = isRepeat ? before.place : where.length
  where[place] = whole
  parameters.set(key, { meant: whole, place, isNewSpelling })
}

interface Context {
  readonly fields: Fields
  readonly naming: Naming
  readonly ignored: Ignored[]
}

function partsOf({ means }: Word): readonly Where[] {
  if (means.error !== undefined) throw new StorageError('INVALID_QUERY', means.error)
  return means.where ?? []
}

function fieldFor({ name, values }: Word): Condition {
  return { path: name, op: 'eq', values }
}

/** Empty if it is ignored. */
function decideWhere(where: Where, context: Context): Where[] {
  if ('and' in where) return [{ and: where.and.flatMap((part) => decideWhere(part, context)) }]
  if ('or' in where) {
    const or = where.or.flatMap((part) => decideWhere(part, context))
    return or.length < where.or.length && or.length === 0 ? [] : [{ or }]
  }
  if ('not' in where) return decideWhere(where.not, context).map((not) => ({ not }))
  const condition = decideCondition(where, context)
  return condition ? [condition] : []
}

function decideCondition(asked: Condition, { fields, naming, ignored }: Context): Condition | undefined {
  const { path, orElse, place } = asked
  if (isCertain(asked)) return asked
  if (fields.has(path)) return readable(asked, path, ignored)
  // Some clients request several rows by `ids`.
  if (path === 'ids' && fields.has(naming.id)) return { ...certain(asked), path: naming.id }
  if (orElse && fields.has(orElse.path)) return readable(orElse, path, ignored)
  if (orElse && isCertain(orElse)) return orElse
  if (place !== undefined && path !== naming.id && fields.hasRows) refuse(path, place)
  if (place !== undefined) return certain(asked)
  if (path !== naming.id && fields.hasRows) ignored.push({ name: path, reason: 'unknown field' })
  return undefined
}

/** @param name of the parameter */
function readable(asked: Condition, name: string, ignored: Ignored[]): Condition | undefined {
  const { unread = [], values } = asked
  for (const detail of unread) ignored.push({ name, reason: 'unreadable value', detail })
  return unread.length > 0 && values.length === 0 ? undefined : certain(asked)
}

function certain({ path, op, values }: Condition): Condition {
  return { path, op, values, required: true }
}

function refuse(path: string, place: string): never {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const mayBeOperator = path.includes('.') && place.endsWith(`.${last}`)
  const [, field, operator] = /^(.+)[_:]([a-zA-Z]+)$/s.exec(last) ?? []
  const remedy = isOperator(operator ?? '') ? `write {"${field}":{"${operator}":…}}` : 'correct the name'
  throw new StorageError(
    'INVALID_QUERY',
    `${place}: no row has the field ${path}${mayBeOperator ? `, and ${last} is not an operator` : ''}; ${remedy}.`,
  )
}

/** A leading `-` sorts descending, unless it is part of a field name. */
function decideSort(sort: readonly SortKey[], { has }: Fields): readonly SortKey[] {
  if (!sort.some(({ path }) => path.startsWith('-'))) return sort
  const keys = new Map<string, SortKey>()
  for (const key of sort) {
    const isSigned = /^-./s.test(key.path) && !has(key.path)
    const path = isSigned ? key.path.slice(1) : key.path
    // A repeated field cannot break ties.
    if (!keys.has(path)) keys.set(path, isSigned ? { path, order: 'desc' } : key)
  }
  return [...keys.values()]
}

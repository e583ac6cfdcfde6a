import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { isOperator, OPERATORS } from '../../kernel/catalogue/operators.ts'
import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import type { Condition, Ignored, ListQuery, SortKey, Where } from '../types.ts'
import { replaceLeaves } from '../where.ts'

export interface QueriedTable {
  readonly table: Table
  /** The field with the ids of its rows. */
  readonly id: string
  /** Fields that exist though no row may have them. */
  readonly isDeclared?: ((path: string) => boolean) | undefined
}

export interface Decided {
  readonly query: ListQuery
  readonly ignored: readonly Ignored[]
}

/**
 * Resolves a query against the fields of the rows. New keywords give way to data: `price_gt` is a field if any row has
 * one of that name, else an operator if any row has `price`, else ignored. Idempotent.
 */
export async function decide(list: ListQuery, scope: QueriedTable): Promise<Decided> {
  const { words = [], ignored: meaningless = [], ...rest } = list
  const ignored: Ignored[] = []
  for (const one of meaningless) {
    // Otherwise the unknown field is reported already.
    if (one.reason !== 'matches nothing' || (await has(scope, one.detail ?? ''))) ignored.push(one)
  }
  const context = { ...scope, ignored }
  const decideLeaf = (leaf: Condition) => decideCondition(leaf, context)
  const where: Where[] = []
  const parameters = new Map<string, Parameter>()
  for (const one of rest.where) {
    // Not from a filter in JSON or from the path.
    const isParameter = 'path' in one && !one.required && !one.isJson
    const isPlain = 'path' in one && isCertain(one)
    for (const decided of isPlain ? [one] : await replaceLeaves([one], decideLeaf)) {
      // `ids` beside another spelling of the id narrows it.
      const mayRepeat = isParameter && rest.where.length > 1 && one.path !== 'ids'
      if (mayRepeat && 'path' in decided) addParameter(where, decided, one.orElse !== undefined, parameters)
      else where.push(decided)
    }
  }
  let window: ListQuery['window'] | undefined
  let sort: ListQuery['sort'] | undefined
  for (const { name, values, means } of words) {
    const isField = await has(scope, name)
    if (!isField && means.error !== undefined) throw new StorageError('INVALID_QUERY', means.error)
    const parts: readonly Where[] = isField ? [{ path: name, op: 'eq', values }] : (means.where ?? [])
    where.push(...(await replaceLeaves(parts, decideLeaf)))
    if (isField) continue
    if (means.ignored) ignored.push(...[means.ignored].flat())
    if (means.window?.kind === 'cursor') window = means.window
    window ??= means.window
    sort ??= means.sort
  }
  sort ??= rest.sort
  if (sort.length > 1 || sort[0]?.path.startsWith('-')) sort = await decideSort(sort, scope)
  return { query: { ...rest, where, window: window ?? rest.window, sort }, ignored }
}

interface Parameter {
  readonly condition: Condition
  readonly position: number
  readonly isNewSpelling: boolean
}

/** Two spellings of one operator count as repeats: `price=10&price_eq=20`. */
function addParameter(
  where: Where[],
  condition: Condition,
  isNewSpelling: boolean,
  parameters: Map<string, Parameter>,
): void {
  const key = `${condition.op} ${condition.path}`
  const before = parameters.get(key)
  const isRepeat = before && (isNewSpelling || before.isNewSpelling)
  const values = isRepeat ? [...before.condition.values, ...condition.values] : condition.values
  const whole = isRepeat
    ? { ...condition, values: condition.op === 'null' ? values.slice(-1) : values }
    : condition
  const position = isRepeat ? before.position : where.length
  where[position] = whole
  parameters.set(key, { condition: whole, position, isNewSpelling })
}

interface Context extends QueriedTable {
  readonly ignored: Ignored[]
}

async function has({ table, isDeclared }: QueriedTable, path: string): Promise<boolean> {
  return isDeclared?.(path) || hasField(table, path)
}

async function decideCondition(condition: Condition, context: Context): Promise<readonly Condition[]> {
  const { id, ignored } = context
  const hasRows = context.table.size > 0
  const { path, orElse, place } = condition
  if (isCertain(condition)) return [condition]
  if (await has(context, path)) return readable(condition, path, ignored)
  // Some clients use `ids`.
  if (path === 'ids' && (await has(context, id))) return [{ ...certain(condition), path: id }]
  if (orElse && (await has(context, orElse.path))) return readable(orElse, path, ignored)
  if (orElse && isCertain(orElse)) return [orElse]
  if (place !== undefined && path !== id && hasRows) refuseField(path, place)
  if (place !== undefined) return [certain(condition)]
  if (path !== id && hasRows) ignored.push({ name: path, reason: 'unknown field' })
  return []
}

function isCertain({ op, required, orElse, place }: Condition): boolean {
  return required === true || (OPERATORS[op].isOld === true && orElse === undefined && place === undefined)
}

/** Operators of json-server 0.17.4 are never ignored: on a field that no row has, they match nothing. */
export async function matchesNothing({ orElse, ...own }: Condition, scope: QueriedTable): Promise<boolean> {
  const condition = orElse ?? own
  const { path, required } = condition
  if (required || !isCertain(condition) || path === scope.id || path === 'ids') return false
  return !(await has(scope, path)) && !(orElse && (await hasField(scope.table, own.path)))
}

function readable(condition: Condition, name: string, ignored: Ignored[]): readonly Condition[] {
  const { unread = [], values } = condition
  for (const detail of unread) ignored.push({ name, reason: 'unreadable value', detail })
  return unread.length > 0 && values.length === 0 ? [] : [certain(condition)]
}

function certain({ path, op, values }: Condition): Condition {
  return { path, op, values, required: true }
}

function refuseField(path: string, place: string): never {
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
async function decideSort(sort: readonly SortKey[], scope: QueriedTable): Promise<readonly SortKey[]> {
  const keys = new Map<string, SortKey>()
  for (const key of sort) {
    const isSigned = /^-./s.test(key.path) && !(await has(scope, key.path))
    const path = isSigned ? key.path.slice(1) : key.path
    // A repeated field cannot break ties.
    if (!keys.has(path)) keys.set(path, isSigned ? { path, order: 'desc' } : key)
  }
  return [...keys.values()]
}

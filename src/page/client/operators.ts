import {
  type FieldKind,
  isOperator,
  type Operator as Name,
  OPERATOR_NAMES,
  OPERATORS,
  type OperatorInfo,
} from '../../core/kernel/catalogue/operators.ts'

/** The suffix of a field's name in the query: none for equality. */
export type Operator = '' | `_${Name}`

export interface Filter {
  readonly field: string
  readonly operator: Operator
  readonly value: string
}

/** The kind of a field's values in all sampled rows. */
export type Kind = FieldKind | 'list' | 'null' | 'mixed'

/** Fields, and the fields inside them as `locations.city`, with what they hold. */
export type Fields = ReadonlyMap<string, Kind>

/** The operators that fit a kind of field, and the current one. */
export function operatorsFor(kind: Kind, current: Operator): readonly Operator[] {
  const fitting = OPERATOR_NAMES.filter((name) => fits(OPERATORS[name], kind)).map(suffixOf)
  return fitting.includes(current) ? fitting : [current, ...fitting]
}

function fits({ fits, onLists, takes }: OperatorInfo, kind: Kind): boolean {
  if (kind === 'list') return onLists !== undefined
  // A list of booleans would have one or two entries.
  return (
    kind === 'mixed' || kind === 'null' || (fits.includes(kind) && !(kind === 'boolean' && takes === 'list'))
  )
}

export function suffixOf(name: Name): Operator {
  return name === 'eq' ? '' : `_${name}`
}

export function labelOf(operator: Operator): string {
  return infoOf(operator).label
}

function infoOf(operator: Operator): OperatorInfo {
  return OPERATORS[operator === '' ? 'eq' : (operator.slice(1) as Name)]
}

export function entryOf(operator: Operator): OperatorInfo['takes'] {
  return infoOf(operator).takes
}

/** Splits a parameter's name; `price:gt` means `price_gt`. */
export function parseFilter(key: string, value: string, isField: (name: string) => boolean): Filter {
  const mark = Math.max(key.lastIndexOf('_'), key.lastIndexOf(':'))
  const name = key.slice(mark + 1)
  if (mark <= 0 || !isOperator(name)) return { field: key, operator: '', value }
  // A field may be called `logged_in`; json-server's own operators do not care.
  const isOld = OPERATORS[name].isOld && key[mark] === '_'
  if (isField(key) && !isOld) return { field: key, operator: '', value }
  return { field: key.slice(0, mark), operator: `_${name}`, value }
}

/** A filter to fill in, with the comparison that is most likely meant. */
export function newFilter(field: string, kind: Kind = 'mixed'): Filter {
  const operator = kind === 'list' ? '_contains' : kind === 'null' ? '_null' : ''
  return withOperator({ field, operator: '', value: '' }, operator)
}

/** The filter with another field. A comparison that does not fit it, or was never chosen, becomes another one. */
export function withField(filter: Filter, field: string, kind: Kind = 'mixed'): Filter {
  const { operator, value } = filter
  const isNew = operator === '' && value === ''
  if (!isNew && fits(infoOf(operator), kind)) return { ...filter, field }
  return withOperator({ ...filter, field }, newFilter(field, kind).operator)
}

/** Whether a filter is complete: until then, it has no place in a URL. */
export function hasValue({ field, operator, value }: Filter): boolean {
  if (field === '') return false
  if (entryOf(operator) !== 'pair') return value !== ''
  const [from = '', to = ''] = readCsv(value)
  return from !== '' && to !== ''
}

/** The filter with another operator; its value stays as far as it fits. */
export function withOperator(filter: Filter, operator: Operator): Filter {
  const entries = entriesOf(filter)
  const kind = entryOf(operator)
  if (kind === entryOf(filter.operator)) return { ...filter, operator }
  if (kind === 'toggle') return { ...filter, operator, value: 'true' }
  if (kind === 'pair') return { ...filter, operator, value: writeCsv([entries[0] ?? '', entries[1] ?? '']) }
  return { ...filter, operator, value: kind === 'list' ? writeCsv(entries) : (entries[0] ?? '') }
}

/** `price is between 10 and 20` */
export function describeFilter(filter: Filter): string {
  const { field, operator, value } = filter
  const entries = entriesOf(filter)
  if (operator === '_null') return `${field} is ${value === 'false' ? 'not empty' : 'empty'}`
  const { label, compares } = infoOf(operator)
  const joined = entries.join(operator === '_between' ? ' and ' : ', ')
  return `${field} ${compares === 'order' ? 'is ' : ''}${label} ${joined || '(empty)'}`
}

function entriesOf({ operator, value }: Filter): readonly string[] {
  const kind = entryOf(operator)
  if (kind === 'value') return value === '' ? [] : [value]
  return kind === 'toggle' ? [] : readCsv(value)
}

/** The entries of a list as the API reads it: separated by commas, quoted where they contain one. */
export function readCsv(text: string): readonly string[] {
  if (text.trim() === '') return []
  return Array.from(`,${text}`.matchAll(ENTRY), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  )
}

/** The opposite of `readCsv`. */
export function writeCsv(entries: readonly string[]): string {
  return entries
    .map((entry) => (NEEDS_QUOTES.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry))
    .join(',')
}

/** Each with the comma before it. */
const ENTRY = /,(?:\s*"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g
const NEEDS_QUOTES = /[,"]|^\s|\s$/

import type { FieldSchema } from '../client/field-schema.ts'
import { type Id, idsIn, type Key } from '../data/keys.ts'
import { parseJson } from '../parts/json.ts'
import type { FormField } from './form-fields.ts'

type Control =
  | { readonly kind: 'json' | 'checkbox' | 'textarea' }
  | { readonly kind: 'key'; readonly to: Key }
  | { readonly kind: 'select'; readonly options: readonly Option[] }
  | {
      readonly kind: 'input'
      readonly type: InputType
      readonly step?: string
      readonly suggestions?: readonly string[]
    }

interface Option {
  readonly value: string
  readonly label: string
}

type InputType = 'text' | 'number' | 'date' | 'datetime-local' | 'email' | 'url'

/** More are better typed than chosen. */
const MOST_CHOICES = 200

interface Context {
  /** The target of a field that is a key. */
  readonly to?: Key | undefined
  /** Of the field in other rows. */
  readonly values?: readonly unknown[]
}

/** The control that fits the schema, what is in the field, and what other rows have there. */
export function controlOf(
  field: FormField,
  schema?: FieldSchema,
  { to, values = [] }: Context = {},
): Control {
  const { kind, text, initial } = field
  if (schema?.choices && schema.choices.length <= MOST_CHOICES) return selectOf(kind, text, schema)
  if (to && idsOfField(to, field)) return { kind: 'key', to }
  if (kind === 'json') return { kind }
  if (kind === 'boolean') return schema && (text === '' || mayBeEmpty(schema)) ? YES_NO : { kind: 'checkbox' }
  if (kind === 'number') {
    const step = schema?.types.join() === 'integer' ? '1' : 'any'
    return { kind: 'input', type: 'number', step, ...suggested(values) }
  }
  // Not what is typed: the input would be replaced under one's fingers.
  if (text.includes('\n') || [initial, ...values].some(isLong)) return { kind: 'textarea' }
  const input = typeFor(text, schema ? schema.format : formatOf([initial, ...values]))
  return { kind: 'input', ...input, ...(input.type === 'text' && suggested(values)) }
}

/** The ids in a key; undefined if it holds something else, which is edited as what it is. */
export function idsOfField(to: Key, { kind, text }: FormField): readonly Id[] | undefined {
  if (text === '') return []
  if (kind === 'boolean' || to.isList !== (kind === 'json')) return undefined
  return idsIn(to, to.isList ? parseJson(text).value : text)
}

/** More are no help, and longer ones no choice. */
const MOST_SUGGESTIONS = 12
const LONGEST_LINE = 60

/** The values that other rows have, if they are few and repeat. */
function suggested(values: readonly unknown[]): { readonly suggestions?: readonly string[] } {
  const given = textsOf(values)
  const distinct = [...new Set(given)]
  const isFew = distinct.length <= MOST_SUGGESTIONS && distinct.length * 2 <= given.length
  return isFew && distinct.length > 0 ? { suggestions: distinct.toSorted() } : {}
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => value !== null && value !== undefined && value !== '').map(String)
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && (value.length > LONGEST_LINE || value.includes('\n'))
}

/** The format that all of these texts have, as the server infers it. */
function formatOf(values: readonly unknown[]): string | undefined {
  const texts = textsOf(values)
  if (texts.length === 0) return undefined
  if (texts.every((text) => DATE.test(text))) return 'date'
  return texts.every((text) => toLocalTime(text) !== undefined) ? 'date-time' : undefined
}

const NOTHING: Option = { value: '', label: '—' }

const YES_NO: Control = {
  kind: 'select',
  options: [NOTHING, { value: 'true', label: 'true' }, { value: 'false', label: 'false' }],
}

/** Also offers a current value that is not among the choices, and an empty one. */
function selectOf(kind: FormField['kind'], text: string, schema: FieldSchema): Control {
  const write = (value: unknown) => (kind === 'json' ? JSON.stringify(value, null, 2) : String(value))
  const options = (schema.choices ?? [])
    .filter((choice) => choice !== null)
    .map((choice) => ({
      value: write(choice),
      label: typeof choice === 'string' ? choice : JSON.stringify(choice),
    }))
  const isListed = text === '' || options.some(({ value }) => value === text)
  const own = isListed ? [] : [{ value: text, label: `${text} (not one of these)` }]
  return {
    kind: 'select',
    options: [...(mayBeEmpty(schema) || text === '' ? [NOTHING] : []), ...own, ...options],
  }
}

function mayBeEmpty({ isNullable, isRequired }: FieldSchema): boolean {
  return isNullable || !isRequired
}

/** A date picker cannot show other texts: they stay text. */
function typeFor(text: string, format: string | undefined): { type: InputType; step?: string } {
  if (format === 'date' && (text === '' || DATE.test(text))) return { type: 'date' }
  if (format === 'date-time' && toLocalTime(text) !== undefined)
    return { type: 'datetime-local', step: 'any' }
  if (format === 'email') return { type: 'email' }
  return { type: format === 'uri' ? 'url' : 'text' }
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** An RFC 3339 time for a `datetime-local` input, in local time; undefined if it is none. */
export function toLocalTime(text: string): string | undefined {
  if (text === '') return ''
  const moment = MOMENT.test(text) ? new Date(text) : undefined
  if (moment === undefined || Number.isNaN(moment.getTime())) return undefined
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().replace(/(?:\.000)?Z$/, '')
}

/** The opposite: in UTC, as most APIs write it. */
export function fromLocalTime(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().replace('.000Z', 'Z')
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i

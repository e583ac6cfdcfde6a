import type { FieldSchema } from '../client/field-schema.ts'
import type { FormField } from './form-fields.ts'

export type Control =
  | { readonly kind: 'json' | 'checkbox' | 'textarea' }
  | { readonly kind: 'select'; readonly options: readonly Option[] }
  | { readonly kind: 'input'; readonly type: InputType; readonly step?: string }

interface Option {
  readonly value: string
  readonly label: string
}

type InputType = 'text' | 'number' | 'date' | 'datetime-local' | 'email' | 'url'

/** More are better typed than chosen. */
const MOST_CHOICES = 200

/** The control that fits the schema and the text in the field. */
export function controlOf({ kind, text }: FormField, schema?: FieldSchema): Control {
  if (schema?.choices && schema.choices.length <= MOST_CHOICES) return selectOf(kind, text, schema)
  if (kind === 'json') return { kind }
  if (kind === 'boolean') return schema && (text === '' || mayBeEmpty(schema)) ? YES_NO : { kind: 'checkbox' }
  if (kind === 'number') {
    return { kind: 'input', type: 'number', step: schema?.types.join() === 'integer' ? '1' : 'any' }
  }
  if (text.length > 60 || text.includes('\n')) return { kind: 'textarea' }
  return { kind: 'input', ...typeFor(text, schema?.format) }
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

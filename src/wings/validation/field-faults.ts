import type { ErrorObject } from 'ajv'
import type { FieldFault } from '../../core/engine/resource-rules.ts'
import { isObject } from '../../core/kernel/json/values.ts'

/** ajv's errors as one fault per field, in words for users of a form. Needs ajv's option `verbose`. */
export function fieldFaults(found: readonly ErrorObject[]): readonly FieldFault[] {
  const errors = found.slice(0, MOST_ERRORS)
  const hidden = new Set(errors.flatMap((error) => [...hiddenBy(error, errors)]))
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (hidden.has(error)) continue
    for (const { path, message } of faultsOf(error, errors)) if (!faults.has(path)) faults.set(path, message)
  }
  return [...faults].map(([path, message]) => ({ path, message }))
}

const MOST_ERRORS = 400

/** Errors that are only the reason for another one, which explains it better. */
function hiddenBy(error: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const { keyword, schemaPath } = error
  if (keyword === 'anyOf' || keyword === 'oneOf') return branchesOf(error, errors).flat()
  if (keyword === 'contains' || keyword === 'propertyNames') return within(schemaPath, errors)
  if (keyword === 'if')
    return errors.some(({ schemaPath: other }) => /\/(?:then|else)\//.test(other)) ? [error] : []
  return []
}

function faultsOf(error: ErrorObject, errors: readonly ErrorObject[]): readonly FieldFault[] {
  if (error.keyword === 'anyOf' || (error.keyword === 'oneOf' && error.params.passingSchemas === null)) {
    return alternatives(error, errors)
  }
  return [{ path: pathOf(error), message: messageOf(error) }]
}

/** The faults of a value that matches none of the allowed schemas: those of the closest one, if one is clearly closest. */
function alternatives(error: ErrorObject, errors: readonly ErrorObject[]): readonly FieldFault[] {
  const branches = branchesOf(error, errors).filter((branch) => branch.length > 0)
  const isOfType = (branch: readonly ErrorObject[]) =>
    !branch.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath)
  const near = branches.filter(isOfType)
  const [only] = near
  if (near.length === 1 && only) return fieldFaults(only)
  const types = branches.flatMap((branch) => branch.filter(({ keyword }) => keyword === 'type'))
  if (near.length === 0 && types.length === branches.length) {
    const type = types.flatMap(({ params }) => [params.type].flat())
    return [{ path: pathOf(error), message: MESSAGES.type?.({ type }) ?? '' }]
  }
  return [{ path: pathOf(error), message: messageOf(error) }]
}

function branchesOf(error: ErrorObject, errors: readonly ErrorObject[]): readonly (readonly ErrorObject[])[] {
  const branches: readonly unknown[] = Array.isArray(error.schema) ? error.schema : []
  return branches.map((branch, at) => {
    const own = within(`${error.schemaPath}/${at}`, errors)
    const elsewhere = isObject(branch) && typeof branch.$ref === 'string' ? within(branch.$ref, errors) : []
    return [...own, ...elsewhere].filter(({ instancePath }) => instancePath.startsWith(error.instancePath))
  })
}

function within(schemaPath: string, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter((error) => error.schemaPath.startsWith(`${schemaPath}/`))
}

/** `/locations/0/city` as `locations.0.city`, with the field that is missing, or not known. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName
  return [...names, ...(typeof name === 'string' ? [name] : [])].join('.')
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  const known: Params = params
  return MESSAGES[keyword]?.(known) ?? message ?? 'is not valid'
}

type Params = Readonly<Record<string, unknown>>

/** The end of a sentence that begins with the name of a field: `price` … `must be at least 0`. By keyword of JSON Schema. */
const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${typesText([type].flat().join().split(','))}`,
  required: () => 'is required',
  dependentRequired: ({ property }) => `is required if ${property} is given`,
  dependencies: ({ property }) => `is required if ${property} is given`,
  additionalProperties: () => 'is not a known field',
  unevaluatedProperties: () => 'is not a known field',
  propertyNames: () => 'is not an allowed name',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) =>
    multipleOf === 1 ? 'must be a whole number' : `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => atLeast(limit, 'character'),
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${shortened(String(pattern))}`,
  format: ({ format }) => FORMATS[String(format)] ?? `must have the format ${format}`,
  enum: ({ allowedValues }) => `must be ${oneOf(Array.isArray(allowedValues) ? allowedValues : [])}`,
  const: ({ allowedValue }) => `must be ${shownValue(allowedValue)}`,
  minItems: ({ limit }) => atLeast(limit, 'entry'),
  maxItems: atMostEntries,
  items: atMostEntries,
  additionalItems: atMostEntries,
  unevaluatedItems: atMostEntries,
  uniqueItems: () => 'must not have the same entry twice',
  contains: ({ minContains: min, maxContains: max }) => {
    const number = max === undefined ? `at least ${count(min, 'entry')}` : `${min} to ${count(max, 'entry')}`
    return `must have ${number} of the kind that is asked for`
  },
  minProperties: ({ limit }) => atLeast(limit, 'field'),
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'field')}`,
  anyOf: () => 'does not have any of the allowed forms',
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? 'must have only one of the allowed forms'
      : 'does not have any of the allowed forms',
  not: () => 'is not allowed',
  if: () => 'does not fit the other fields',
  'false schema': () => 'is not allowed',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  'idn-email': 'must be an email address',
  date: 'must be a date, such as 2026-01-31',
  time: 'must be a time with its zone, such as 09:30:00Z',
  'iso-time': 'must be a time, such as 09:30:00',
  'date-time': 'must be a date and time, such as 2026-01-31T09:30:00Z',
  'iso-date-time': 'must be a date and time, such as 2026-01-31T09:30:00',
  duration: 'must be a duration, such as P1DT2H',
  uri: 'must be a URL, such as https://example.com',
  'uri-reference': 'must be a URL or a path',
  'uri-template': 'must be a URL template',
  url: 'must be a URL, such as https://example.com',
  uuid: 'must be a UUID',
  hostname: 'must be a host name',
  'idn-hostname': 'must be a host name',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  iri: 'must be a URL, such as https://example.com',
  'iri-reference': 'must be a URL or a path',
  regex: 'must be a regular expression',
  'json-pointer': 'must be a JSON Pointer, such as /name/0',
  'relative-json-pointer': 'must be a relative JSON Pointer',
  byte: 'must be Base64',
  int32: 'must be a whole number of 32 bits',
  int64: 'must be a whole number of 64 bits',
  float: 'must be a number',
  double: 'must be a number',
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function typesText(types: readonly string[]): string {
  const names = types.map((type) => TYPE_NAMES[type] ?? type)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

const MOST_VALUES = 10

function oneOf(values: readonly unknown[]): string {
  if (values.length <= 1) return values.map(shownValue).join('')
  const shown = values.slice(0, MOST_VALUES).map(shownValue)
  const more = values.length - shown.length
  return more > 0 ? `one of ${shown.join(', ')} and ${more} more` : `one of ${shown.join(', ')}`
}

function shownValue(value: unknown): string {
  return shortened(typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? ''))
}

function atLeast(limit: unknown, noun: string): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${count(limit, noun)}`
}

function atMostEntries({ limit }: Params): string {
  return `must have at most ${count(limit, 'entry')}`
}

function count(number: unknown, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number} ${number === 1 ? noun : plural}`
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

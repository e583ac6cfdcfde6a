export type Params = Readonly<Record<string, unknown>>

/** The end of a sentence that begins with the name of a field: `price` … `must be at least 0`. By keyword of JSON Schema. */
export const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) =>
    `must be ${orOf(
      [type]
        .flat()
        .flatMap((each) => String(each).split(','))
        .map(typeName),
    )}`,
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
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${shortened(String(pattern))}`,
  format: ({ format }) => FORMATS[String(format)] ?? `must have the format ${format}`,
  enum: ({ allowedValues }) => `must be ${oneOf(Array.isArray(allowedValues) ? allowedValues : [])}`,
  const: ({ allowedValue }) => `must be ${shownValue(allowedValue)}`,
  minItems: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'entry')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'entry')}`,
  items: ({ limit }) => `must have at most ${count(limit, 'entry')}`,
  additionalItems: ({ limit }) => `must have at most ${count(limit, 'entry')}`,
  unevaluatedItems: ({ limit }) => `must have at most ${count(limit, 'entry')}`,
  uniqueItems: () => 'must not have the same entry twice',
  contains: ({ minContains, maxContains }) => containsMessage(minContains, maxContains),
  minProperties: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'field')}`,
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

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type
}

function orOf(names: readonly string[]): string {
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

function containsMessage(min: unknown, max: unknown): string {
  if (max !== undefined) return `must have ${min} to ${count(max, 'entry')} of the kind that is asked for`
  return `must have at least ${count(min, 'entry')} of the kind that is asked for`
}

function count(number: unknown, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number} ${number === 1 ? noun : plural}`
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

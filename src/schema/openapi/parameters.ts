import { DATA_DEEDS, DATA_READS, type Deed, isThere } from './deeds.ts'
import type { ApiSettings } from './settings.ts'

/** A parameter that has nothing to do with the fields of a resource. */
interface Parameter {
  readonly name: string
  readonly in?: 'header'
  readonly schema: object
  readonly description: string
  readonly deeds: readonly Deed[]
  /** Only with such settings. */
  readonly when?: (settings: ApiSettings) => boolean
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
/** `a,b`, or the parameter repeated. */
const NAMES = { anyOf: [TEXT, { type: 'array', items: TEXT }] }

/** All of them. A parameter that is not here is not described, and one that is here is there. */
const PARAMETERS: readonly Parameter[] = [
  { name: 'q', schema: TEXT, description: 'Some field contains this, nested ones too', deeds: ['list'] },
  { name: '_sort', schema: NAMES, description: 'Fields to sort by, with commas', deeds: ['list'] },
  {
    name: '_order',
    schema: NAMES,
    description: '`asc` or `desc` for each field of `_sort`',
    deeds: ['list'],
  },
  {
    name: '_page',
    schema: { type: 'integer', minimum: 1 },
    description: 'Page number; a page has 10 items, or `_limit`',
    deeds: ['list'],
  },
  { name: '_limit', schema: COUNT, description: 'At most this many items', deeds: ['list'] },
  { name: '_start', schema: COUNT, description: 'From this index, counted from 0', deeds: ['list'] },
  { name: '_end', schema: COUNT, description: 'Up to this index, exclusive', deeds: ['list'] },
  { name: '_embed', schema: NAMES, description: 'With these children', deeds: ['list', 'item'] },
  { name: '_expand', schema: NAMES, description: 'With these parents', deeds: ['list', 'item'] },
  {
    name: '_dependent',
    schema: NAMES,
    description: 'Also delete the rows of these collections that point here',
    deeds: ['delete'],
    when: ({ cascade }) => !cascade,
  },
  { name: '_delay', schema: COUNT, description: 'Answer so many milliseconds later', deeds: DATA_DEEDS },
  {
    name: 'callback',
    schema: TEXT,
    description: 'Answer with a call of this function (JSONP)',
    deeds: DATA_READS,
    when: ({ jsonp }) => jsonp,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    schema: TEXT,
    description: 'An `ETag` that was sent before: 304 if nothing has changed since',
    deeds: DATA_READS,
  },
]

/** Names that are never fields to filter by. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([...PARAMETERS.map(({ name }) => name), '_'])

/** References to the parameters of an operation. */
export function parametersOf(deed: Deed, settings: ApiSettings): readonly object[] {
  return givenIn(settings)
    .filter(({ deeds }) => deeds.includes(deed))
    .map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
}

/** What those references lead to. */
export function parameterComponents(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    givenIn(settings).map(({ name, in: place = 'query', schema, description }) => [
      name,
      { name, in: place, description, schema },
    ]),
  )
}

function givenIn(settings: ApiSettings): readonly Parameter[] {
  return PARAMETERS.filter(
    ({ deeds, when }) => (when?.(settings) ?? true) && deeds.some((deed) => isThere(deed, settings)),
  )
}

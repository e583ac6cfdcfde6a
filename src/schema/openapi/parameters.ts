import { DATA_DEEDS, DATA_READS, DATA_WRITES, type Deed, FILTERED, isThere, SINGLE_WRITES } from './deeds.ts'
import type { ApiSettings } from './settings.ts'

/** A parameter that does not depend on the fields of a resource. */
interface Parameter {
  readonly name: string
  readonly in?: 'header'
  readonly schema: object
  readonly description: string
  readonly deeds: readonly Deed[]
  /** If rows have a field of that name, it is a filter on that field. */
  readonly givesWay?: true
  /** Only with such settings. */
  readonly when?: (settings: ApiSettings) => boolean
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
/** `a,b`, or the parameter repeated. */
const NAMES = { anyOf: [TEXT, { type: 'array', items: TEXT }] }

/** All parameters but the filters. This table is the one place to add one. */
const PARAMETERS: readonly Parameter[] = [
  { name: 'q', schema: TEXT, description: 'Any field contains this, including nested ones', deeds: FILTERED },
  {
    name: '_sort',
    schema: NAMES,
    description: 'Fields to sort by, separated by commas; `-price` sorts down',
    deeds: ['list'],
  },
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
  {
    name: '_per_page',
    schema: { type: 'integer', minimum: 1 },
    description:
      'Items per page, as in json-server 1.0: the response is then an object with `first`, `prev`, `next`, `last`, `pages`, `items` and, in `data`, the list',
    deeds: ['list'],
    givesWay: true,
  },
  {
    name: '_where',
    schema: TEXT,
    description:
      'A condition as JSON: `{"price":{"gt":10},"or":[{"name":{"contains":"a"}},{"company_id":{"in":[1,2]}}]}`',
    deeds: FILTERED,
    givesWay: true,
  },
  { name: '_embed', schema: NAMES, description: 'With these children', deeds: ['list', 'item'] },
  { name: '_expand', schema: NAMES, description: 'With these parents', deeds: ['list', 'item'] },
  ...(
    [
      ['filter', 'Filters as JSON, as ra-data-simple-rest sends them: `{"q":"x","id":[1,2]}`'],
      ['sort', 'As ra-data-simple-rest sends it: `["name","ASC"]`'],
      ['range', 'As ra-data-simple-rest sends it: `[0,24]`'],
      ['embed', 'As ra-data-simple-rest sends it: `["company"]`'],
      ['_filters', 'Filters as JSON, as ng-admin sends them'],
      ['_perPage', 'As ng-admin sends it: `_limit`'],
      ['_sortField', 'As ng-admin sends it: `_sort`'],
      ['_sortDir', 'As ng-admin sends it: `_order`'],
    ] as const
  ).map(
    ([name, description]): Parameter => ({
      name,
      description,
      schema: TEXT,
      deeds: ['list'],
      givesWay: true,
    }),
  ),
  {
    name: '_dependent',
    schema: NAMES,
    description: 'Also delete the rows of these collections that point here',
    deeds: ['delete', 'deleteMany'],
    when: ({ cascade }) => !cascade,
  },
  { name: '_delay', schema: COUNT, description: 'Respond this many milliseconds later', deeds: DATA_DEEDS },
  {
    name: 'callback',
    schema: TEXT,
    description: 'Respond with a call of this function (JSONP)',
    deeds: DATA_READS,
    when: ({ jsonp }) => jsonp,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    schema: TEXT,
    description:
      'GET: a previous `ETag`, to get 304 if nothing has changed. PUT: `*` if it must not exist yet',
    deeds: [...DATA_READS, 'replace'],
  },
  {
    name: '_all',
    schema: { const: 'true' },
    description: 'Needed to change or delete all rows; otherwise, a filter is required',
    deeds: ['patchMany', 'deleteMany'],
    givesWay: true,
  },
  {
    name: '_upsert',
    schema: { type: 'boolean' },
    description: 'Create the item if it does not exist: 201 with `Location`',
    deeds: ['replace'],
  },
  {
    name: 'If-Match',
    in: 'header',
    schema: TEXT,
    description: 'The `ETag` of the plain item: 412 if it has changed since',
    deeds: SINGLE_WRITES,
  },
  {
    name: 'Prefer',
    in: 'header',
    schema: TEXT,
    description:
      '`return=minimal`: no body (204, or 201 on POST). `return=representation`: DELETE returns what it deleted',
    deeds: DATA_WRITES,
  },
]

/** Never filters, even if a field has that name. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...PARAMETERS.filter(({ givesWay }) => !givesWay).map(({ name }) => name),
  '_',
])

/** References to the parameters of an operation, except those that its own filters replace. */
export function parametersOf(deed: Deed, settings: ApiSettings, own: ReadonlySet<string>): readonly object[] {
  return givenIn(settings)
    .filter(({ name, deeds }) => deeds.includes(deed) && !own.has(name))
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

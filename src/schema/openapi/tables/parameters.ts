import {
  DATA_OPERATIONS,
  DATA_READS,
  IDENTIFIED,
  IN_SESSION,
  isThere,
  type OperationKind,
  REPLACES,
  SINGLE_WRITES,
} from '../../../catalogue/operation-kinds.ts'
import { type ApiSettings, optionOf } from '../settings.ts'
import { COUNT, NAMES, type Parameter, TEXT, TOGGLE } from './parameter.ts'
import { READ_PARAMETERS } from './read-parameters.ts'

/** All parameters but the filters. A test compares them with what the router knows. */
const PARAMETERS: readonly Parameter[] = [
  ...READ_PARAMETERS,
  {
    name: '_dependent',
    schema: NAMES,
    description: 'Also delete the rows of these collections that point here',
    deeds: ['delete', 'deleteMany'],
    when: ({ cascade }) => !cascade,
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
    schema: TOGGLE,
    description: ({ upsert }) =>
      upsert
        ? '`false`: 404 if the item does not exist, instead of creating it'
        : '`true`: create the item if it does not exist, 201 with `Location`',
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
    name: '_delay',
    schema: COUNT,
    description: 'Respond this many milliseconds later',
    deeds: DATA_OPERATIONS,
  },
  {
    name: '_status',
    schema: { type: 'integer', minimum: 400, maximum: 599 },
    description: 'Fail with this status, on purpose',
    deeds: DATA_OPERATIONS,
    givesWay: true,
    when: ({ faults }) => faults,
  },
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
    deeds: [...DATA_READS, ...REPLACES, 'replaceObject'],
  },
  {
    name: 'Prefer',
    in: 'header',
    schema: TEXT,
    description:
      'Reads: `handling=strict` refuses a parameter that has no effect, `handling=lenient` ignores it. Writes: `return=minimal` leaves the body out (204, or 201 on POST), `return=representation` makes DELETE return what it deleted. All: `code=503` fails on purpose, `delay=2000` waits, `when=after` fails when the request has run',
    deeds: DATA_OPERATIONS,
  },
  {
    name: 'X-Mock-Session',
    in: 'header',
    schema: { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,64}$' },
    description: 'A copy of all data of its own, taken at its first request',
    deeds: IN_SESSION,
    when: ({ sessions }) => sessions,
  },
  {
    name: 'X-Mock-User',
    in: 'header',
    schema: TEXT,
    description: 'Act as the user with this email, without a token',
    deeds: IDENTIFIED,
    when: (settings) => optionOf(settings, 'accounts', 'persona') === true,
  },
]

/** Never filters, even if a field has that name. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...PARAMETERS.filter(({ givesWay }) => !givesWay).map(({ name }) => name),
  '_',
])

/** References to the parameters of an operation, except those that its own filters replace. */
export function parametersOf(
  deed: OperationKind,
  settings: ApiSettings,
  own: ReadonlySet<string>,
): readonly object[] {
  return givenIn(settings)
    .filter(({ name, deeds }) => deeds.includes(deed) && !own.has(name))
    .map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
}

export function parameterComponents(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    givenIn(settings).map(({ name, in: place = 'query', schema, description }) => [
      name,
      {
        name,
        in: place,
        description: typeof description === 'string' ? description : description(settings),
        schema,
      },
    ]),
  )
}

function givenIn(settings: ApiSettings): readonly Parameter[] {
  return PARAMETERS.filter(
    ({ deeds, when }) => (when?.(settings) ?? true) && deeds.some((deed) => isThere(deed, settings)),
  )
}

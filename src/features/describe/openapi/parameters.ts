import {
  DATA_OPERATIONS,
  DATA_READS,
  FILTERED,
  IDENTIFIED,
  IN_SESSION,
  isThere,
  type OperationKind,
  REPLACES,
  ROW_READS,
  SINGLE_WRITES,
} from '../../../core/kernel/catalogue/operation-kinds.ts'
import {
  PARAMETER_NAMES,
  PARAMETERS,
  type ParameterInfo,
  type ParameterName,
} from '../../../core/kernel/catalogue/parameters.ts'
import { type ApiSettings, optionOf } from './settings.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly schema: object
  readonly description: string
  readonly kinds: readonly OperationKind[]
  readonly when?: ((settings: ApiSettings) => boolean) | undefined
}

const TEXT = { type: 'string' }

const SCHEMAS: Readonly<Record<ParameterInfo['takes'], object>> = {
  string: TEXT,
  /** `a,b`, or the parameter repeated. */
  names: { anyOf: [TEXT, { type: 'array', items: TEXT }] },
  count: { type: 'integer', minimum: 0 },
  positive: { type: 'integer', minimum: 1 },
  status: { type: 'integer', minimum: 400, maximum: 599 },
  toggle: { type: 'boolean' },
  true: { const: 'true' },
}

const KINDS: Readonly<Record<ParameterInfo['on'], readonly OperationKind[]>> = {
  filters: FILTERED,
  list: ['list'],
  rows: ROW_READS,
  reads: DATA_READS,
  data: DATA_OPERATIONS,
  replace: ['replace'],
  delete: ['delete', 'deleteMany'],
  many: ['patchMany', 'deleteMany'],
  history: [],
}

const WHEN: Partial<Record<ParameterName, (settings: ApiSettings) => boolean>> = {
  _dependent: ({ cascade }) => !cascade,
  callback: ({ jsonp }) => jsonp,
}

const IN_QUERY = PARAMETER_NAMES.flatMap((name): Parameter[] => {
  const { means, takes, on, isOfFeature } = PARAMETERS[name]
  if (means === undefined) return []
  return [
    {
      name,
      in: 'query',
      schema: SCHEMAS[takes],
      description: means,
      kinds: KINDS[on],
      when: isOfFeature ? ({ addedParameters }) => addedParameters.includes(name) : WHEN[name],
    },
  ]
})

const ALL: readonly Parameter[] = [
  ...IN_QUERY,
  {
    name: 'If-Match',
    in: 'header',
    schema: TEXT,
    description: 'The `ETag` of the plain item: 412 if it has changed since',
    kinds: SINGLE_WRITES,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    schema: TEXT,
    description:
      'GET: a previous `ETag`, to get 304 if nothing has changed. PUT: `*` if it must not exist yet',
    kinds: [...DATA_READS, ...REPLACES, 'replaceObject'],
  },
  {
    name: 'Prefer',
    in: 'header',
    schema: TEXT,
    description:
      'Reads: `handling=strict` refuses a parameter that has no effect, `handling=lenient` ignores it. Writes: `return=minimal` leaves the body out (204, or 201 on POST), `return=representation` makes DELETE return what it deleted. All: `code=503` fails on purpose, `delay=2000` waits, `when=after` fails when the request has run, `shape=none` sends rows as they are stored',
    kinds: DATA_OPERATIONS,
  },
  {
    name: 'X-Mock-Session',
    in: 'header',
    schema: { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,64}$' },
    description: 'A copy of all data of its own, taken at its first request',
    kinds: IN_SESSION,
    when: ({ sessions }) => sessions,
  },
  {
    name: 'X-Mock-Scenario',
    in: 'header',
    schema: { ...TEXT, examples: ['empty', 'empty,late'] },
    description:
      'How the session begins: one or several, by comma. Alone, it names a session that all who send it share',
    kinds: IN_SESSION,
    when: ({ addedHeaders }) => addedHeaders.includes('X-Mock-Scenario'),
  },
  {
    name: 'X-Mock-User',
    in: 'header',
    schema: TEXT,
    description: 'Act as the user with this email, without a token',
    kinds: IDENTIFIED,
    when: (settings) => optionOf(settings, 'accounts', 'persona') === true,
  },
]

/** Never filters, even if a field has that name. */
export const RESERVED: ReadonlySet<string> = new Set(
  PARAMETER_NAMES.filter((name) => !PARAMETERS[name].givesWay),
)

/** References to the parameters of an operation, except those that its own filters replace. */
export function parametersOf(
  kind: OperationKind,
  settings: ApiSettings,
  own: ReadonlySet<string>,
): readonly object[] {
  return parametersIn(settings)
    .filter(({ name, kinds }) => kinds.includes(kind) && !own.has(name))
    .map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
}

export function parameterComponents(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    parametersIn(settings).map(({ kinds: _, when: __, ...parameter }) => [parameter.name, parameter]),
  )
}

function parametersIn(settings: ApiSettings): readonly Parameter[] {
  return ALL.filter(
    ({ kinds, when }) => (when?.(settings) ?? true) && kinds.some((kind) => isThere(kind, settings)),
  )
}

import { type Endpoint, pathParameters } from '../../../core/kernel/catalogue/endpoint.ts'
import { TimeSlice } from '../../../core/kernel/util/pace.ts'
import type { JsonSchema } from '../../../wings/schemas/json-schema.ts'
import { patchSchemaOf } from '../../../wings/schemas/row-schemas.ts'
import { type ApiModel, databaseShape, type ResourceModel } from '../api-model.ts'
import { definedAt } from '../definitions.ts'
import { ERROR_SCHEMA, refTo, withoutKeywords } from './contents.ts'
import { Operations, type Paths } from './operations.ts'
import { parameterComponents } from './parameters.ts'
import { addResource } from './resource-operations.ts'
import { securitySchemes } from './security.ts'
import { type ApiSettings, publicRoutesOf } from './settings.ts'

/** Resources per document: more of them would be of no use to any tool. */
export const MOST_RESOURCES = 200

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly paths: Paths
  readonly components: Readonly<Record<string, object>>
  readonly [field: string]: unknown
}

export async function openApiDocument(full: ApiModel, settings: ApiSettings): Promise<OpenApiDocument> {
  const described = full.resources.slice(0, MOST_RESOURCES)
  const model = { ...full, resources: described.map((each) => definedAt('#/components/schemas/', each)) }
  const operations = new Operations(settings)
  const pace = new TimeSlice()
  for (const resource of model.resources) {
    addResource(model, resource, operations)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  for (const endpoint of [DATABASE, ...settings.endpoints]) {
    const isTaken = endpoint.givesWay && model.resources.some(({ name }) => `/${name}` === endpoint.path)
    const [, first] = endpoint.path.split('/')
    const own = endpoint.kind === 'handler' && model.resources.find(({ name }) => name === first)
    if (!isTaken) operations.add(own ? own.name : 'server', asKnown(endpoint, operations.knownPaths))
  }
  if (pace.isUsedUp) await pace.yieldToEventLoop()
  addAliases(operations)
  if (pace.isUsedUp) await pace.yieldToEventLoop()
  const shared = operations.components
  const named = Object.entries<object>({ ...schemas(model, settings), ...shared.schemas })
  const schemes = securitySchemes(settings)
  return {
    openapi: '3.1.0',
    info: {
      title: settings.title,
      version: settings.version,
      description: describe(settings, full.resources.length - model.resources.length),
    },
    servers: serversOf(settings),
    tags: [
      ...model.resources.map(({ name, kind }) => ({
        name,
        description: kind === 'collection' ? `The collection ${name}` : `The object ${name}`,
      })),
      { name: 'server', description: 'The server itself' },
    ],
    paths: operations.paths,
    components: {
      schemas: {
        ...Object.fromEntries(named.map(([name, schema]) => [name, withoutKeywords({ ...schema })])),
        Error: ERROR_SCHEMA,
      },
      parameters: { ...parameterComponents(settings), ...shared.parameters },
      headers: shared.headers,
      responses: shared.responses,
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    },
  }
}

function schemas(model: ApiModel, { shapes }: ApiSettings): Record<string, JsonSchema> {
  // There, fields have the names that are stored.
  const inDatabase = ({ name, types }: ResourceModel): JsonSchema =>
    shapes?.of(name)?.showKey ? { type: 'object' } : refTo(types.row)
  return Object.fromEntries([
    ...model.resources.flatMap(schemasOf),
    ['Database', databaseShape(model, inDatabase)],
  ])
}

function schemasOf({ types, schema, newSchema, definitions }: ResourceModel): [string, JsonSchema][] {
  return [
    ...Object.entries(definitions),
    [types.row, schema],
    [types.fresh, newSchema],
    [types.patch, { ...patchSchemaOf(newSchema), title: types.patch }],
  ]
}

const DATABASE: Endpoint = {
  method: 'get',
  path: '/db',
  kind: 'database',
  id: 'getDatabase',
  summary: 'All data',
  response: { schema: refTo('Database') },
}

function serversOf(settings: ApiSettings): OpenApiDocument['servers'] {
  const { servers } = settings
  const prefixed = prefixesOf(settings).flatMap((prefix) =>
    servers.map((url) => ({ url: `${url}${prefix}`, description: 'Rewritten' })),
  )
  return [...servers.map((url) => ({ url: url || '/' })), ...prefixed]
}

function describe({ layers, readOnly }: ApiSettings, leftOut: number): string {
  const files = layers.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  return [
    'A mock REST API. This document is generated from its data.',
    'HEAD works wherever GET does. Bodies may be JSON or a form.',
    'An operator may follow a colon instead of an underscore: `price:gt` is `price_gt`.',
    'Paths lead through up to five collections, as `/companies/1/products/2/reviews` does. Those through up to three are listed.',
    readOnly
      ? 'The server is read-only: other methods get 403 `READ_ONLY`.'
      : 'A client that can only send POST can name the real method in `X-HTTP-Method-Override`.',
    ...(files.length > 0 ? [`These middleware files may change any response: ${files.join(', ')}.`] : []),
    ...(leftOut > 0 ? [`${leftOut} more resources are served but not described here.`] : []),
  ].join('\n\n')
}

/** Prefixes under which rewrite rules serve the whole API: `/api/v1` of `/api/v1/*` → `/$1`. */
function prefixesOf({ rewrites: rules, rewrite }: ApiSettings): readonly string[] {
  return Object.keys(rules).flatMap((pattern) => {
    const prefix = /^((?:\/[\w.~-]+)+)\/\*$/.exec(pattern)?.[1]
    return prefix !== undefined && rewrite(`${prefix}/${PROBE}`) === `/${PROBE}` ? [prefix] : []
  })
}

/** Adds the paths of rewrite rules and public routes below a prefix, which guards may treat differently. */
function addAliases(operations: Operations): void {
  const { settings } = operations
  const routes = settings.layers.flatMap(({ name }) => publicRoutesOf(settings, name))
  const targets = operations.knownPaths
  const shapes = new Set(targets.map(pathPattern))
  for (const pattern of new Set([...Object.keys(settings.rewrites), ...routes])) {
    if (!/^(?:\/(?::\w+|[\w.~%-]+))+$/.test(pattern)) continue
    const alias = pattern.replace(/:(\w+)/g, '{$1}')
    const [target, known] = resolve(alias, settings, targets)
    if (known === undefined || shapes.has(pathPattern(alias))) continue
    shapes.add(pathPattern(alias))
    operations.addAgain(known, alias, `The same as \`${target}\`.`)
  }
}

/** Stands for a parameter when rules are tried out. */
const PROBE = 'restable-probe'

function pathPattern(path: string): string {
  return path.replace(/\{.*?\}/g, '{}')
}

/** At the path of the data's own that has the same shape, if there is one: another name of a parameter is no other path. */
function asKnown(endpoint: Endpoint, paths: readonly string[]): Endpoint {
  const shape = pathPattern(endpoint.path)
  const path = endpoint.kind === 'handler' ? paths.find((known) => pathPattern(known) === shape) : undefined
  if (path === undefined || path === endpoint.path) return endpoint
  return { ...endpoint, path, parameters: pathParameters(path) }
}

/** Rewrites a path, with a probe in place of each parameter, and finds the known path that results. */
function resolve(
  alias: string,
  { rewrite }: ApiSettings,
  paths: readonly string[],
): readonly [target: string, known: string | undefined] {
  const target = rewrite(alias.replace(/\{(\w+)\}/g, `${PROBE}-$1`))
  const segments = target.split('?', 1).join('').split('/')
  const known = paths.find((path) => {
    const parts = path.split('/')
    const isMet = (part: string, at: number) => part.startsWith('{') || part === segments[at]
    return parts.length === segments.length && parts.every(isMet)
  })
  return [target.replaceAll(new RegExp(`${PROBE}-(\\w+)`, 'g'), '{$1}'), known]
}

import type { Work } from '../../work/in-slices.ts'
import { type ApiModel, databaseShape, type ResourceModel } from '../api-model.ts'
import type { JsonSchema } from '../json-schema.ts'
import { patchSchemaOf } from '../row-schema.ts'
import { aliasPaths, prefixesOf } from './alias-paths.ts'
import { ERROR_SCHEMA } from './errors.ts'
import { fixedPaths } from './fixed-paths.ts'
import { securitySchemes } from './guards.ts'
import { headerComponents } from './headers.ts'
import { Operations } from './operations.ts'
import { parameterComponents } from './parameters.ts'
import { type PathItem, type Paths, resourcePaths } from './resource-paths.ts'
import type { ApiSettings } from './settings.ts'

/** So many resources are described; a document with more would be of no use to any tool. */
export const MOST_RESOURCES = 500

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly paths: Paths
  readonly components: Readonly<Record<string, object>>
  readonly [field: string]: unknown
}

/** The OpenAPI document of what is served now, as the settings have it. */
export function* openApiDocument(full: ApiModel, settings: ApiSettings): Work<OpenApiDocument> {
  const model = { ...full, resources: full.resources.slice(0, MOST_RESOURCES) }
  const operations = new Operations(settings)
  const parts: Paths[] = []
  for (const resource of model.resources) {
    parts.push(resourcePaths(model, resource, operations))
    yield
  }
  const paths = merge([...parts, fixedPaths(model, operations)])
  const all = merge([paths, aliasPaths(paths, operations)])
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
      { name: 'server', description: 'What the server says of itself' },
    ],
    paths: all,
    components: {
      schemas: { ...schemas(model), Error: ERROR_SCHEMA },
      parameters: parameterComponents(settings),
      headers: headerComponents(settings),
      responses: operations.components(),
      ...(Object.keys(securitySchemes(settings)).length > 0 && {
        securitySchemes: securitySchemes(settings),
      }),
    },
  }
}

function schemas(model: ApiModel): Record<string, JsonSchema> {
  return Object.fromEntries([
    ...model.resources.flatMap(schemasOf),
    ['Database', databaseShape(model, '#/components/schemas/')],
  ])
}

function schemasOf({ types, schema, newSchema }: ResourceModel): [string, JsonSchema][] {
  return [
    [types.row, schema],
    [types.fresh, newSchema],
    [types.patch, { ...patchSchemaOf(newSchema), title: types.patch }],
  ]
}

/** Where two have the same path, the later one's methods win. */
function merge(parts: readonly Paths[]): Paths {
  const merged = new Map<string, PathItem>()
  for (const part of parts) {
    for (const [path, item] of Object.entries(part)) merged.set(path, { ...merged.get(path), ...item })
  }
  return Object.fromEntries(merged)
}

function serversOf(settings: ApiSettings): OpenApiDocument['servers'] {
  const { servers } = settings
  const prefixed = prefixesOf(settings).flatMap((prefix) =>
    servers.map((url) => ({ url: `${url}${prefix}`, description: 'By a rewrite rule' })),
  )
  return [...servers.map((url) => ({ url: url || '/' })), ...prefixed]
}

function describe({ layers, readOnly }: ApiSettings, leftOut: number): string {
  const files = layers.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  return [
    'A mock REST API, described from the data that it serves.',
    'HEAD is answered as GET is, without a body. Bodies may be JSON or a form.',
    ...(readOnly ? ['It is read-only: every other method gets 403 `READ_ONLY`.'] : []),
    ...(files.length > 0 ? [`These files of its owner may change any answer: ${files.join(', ')}.`] : []),
    ...(leftOut > 0 ? [`${leftOut} more resources are served and not described here.`] : []),
  ].join('\n\n')
}

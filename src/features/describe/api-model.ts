import { idOf } from '../../core/engine/id-of.ts'
import type { Naming } from '../../core/engine/types.ts'
import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { type Declared, declaredSchema } from '../../wings/schemas/declared.ts'
import { DIALECT, type JsonSchema } from '../../wings/schemas/json-schema.ts'
import { INFERRED, sentSchema } from '../../wings/schemas/row-schemas.ts'
import { fitSchema } from '../../wings/validation/fit-schema.ts'
import { withDefinitions } from './definitions.ts'
import { asRead, exampleBody } from './example.ts'
import { pascalCase, type TypeNames, typeNamesOf } from './names.ts'
import { addTarget, type Reference, type Targets, withReferences } from './references.ts'
import { type Readable, type Surveys, surveyed } from './survey.ts'

export interface Describable {
  readonly naming: Naming
  names(): readonly string[]
  kindOf(name: string): 'collection' | 'object' | undefined
  declared?(name: string): Declared | undefined
  read(name: string): Promise<Readable>
}

export interface ResourceModel {
  readonly name: string
  readonly kind: 'collection' | 'object'
  /** The field with the ids of its rows. */
  readonly id: string
  readonly types: TypeNames
  readonly schema: JsonSchema
  readonly newSchema: JsonSchema
  readonly idSchema: JsonSchema
  readonly references: readonly Reference[]
  /** Schemas that it refers to as `#/$defs/…`, since they contain themselves. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Fields that a schema of the user's names: texts from a path are read as what it asks for. */
  readonly named: ReadonlySet<string>
  /** A row of the data with its secrets masked; undefined if there is none. */
  readonly example: unknown
  /** The same as a client would send it: without what the server adds. */
  readonly newExample: unknown
}

/** The API as served: the source of all descriptions. */
export interface ApiModel {
  readonly resources: readonly ResourceModel[]
}

export async function apiModel(source: Describable, surveys: Surveys): Promise<ApiModel> {
  const { naming } = source
  const names = source.names()
  surveys.keepOnly(new Set(names))
  const targets: Targets = new Map()
  const bases = new Map<string, string>()
  const pace = new TimeSlice()
  // Singulars of a thousand names take a while.
  for (const name of names) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    if (source.kindOf(name) === 'collection') addTarget(targets, name, naming)
    bases.set(name, pascalCase(name))
  }
  const types = typeNamesOf(names, (name) => bases.get(name) ?? '')
  const outlines: Outline[] = []
  for (const name of names) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    const kind = source.kindOf(name)
    const typeNames = types.get(name)
    if (kind === undefined || typeNames === undefined) continue
    const { values, isCurrent } = await source.read(name)
    const { schema: inferred, example } = await surveys.get(name, isCurrent, () => surveyed(values))
    const declared = withRolesIn(values, source.declared?.(name))
    const id = idOf(name, naming)
    const isCollection = kind === 'collection'
    const seen = isCollection ? rowSchemaOf(inferred, id) : inferred
    const schema = declared ? declaredSchema(declared, seen, isCollection ? id : undefined, inferred) : seen
    outlines.push({ name, kind, id, types: typeNames, schema, inferred, declared, example, values })
  }
  const ids = new Map(
    outlines.flatMap(({ name, kind, id, schema }) =>
      kind === 'collection' ? [[name, schema.properties?.[id] ?? {}]] : [],
    ),
  )
  const resources: ResourceModel[] = []
  for (const outline of outlines) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    const { inferred, name: collection } = outline
    const declared = outline.kind === 'collection' ? outline.declared?.references : undefined
    const keys = {
      targets,
      naming,
      collection,
      declared,
      inferred,
      idSchemaOf: (name: string) => ids.get(name),
    }
    resources.push(await modelOf(outline, withReferences(outline.schema, keys)))
  }
  return { resources: withDefinitions(resources) }
}

/** With roles that only rows have. */
function withRolesIn(users: readonly unknown[], declared: Declared | undefined): Declared | undefined {
  if (!declared?.roles) return declared
  const roles = new Set(declared.roles)
  for (const user of users) {
    const role = isSchema(user) ? user.role : undefined
    if (typeof role === 'string') roles.add(role)
  }
  return { ...declared, roles: [...roles] }
}

interface Outline extends Pick<ResourceModel, 'name' | 'kind' | 'id' | 'types' | 'schema' | 'example'> {
  readonly inferred: JsonSchema
  readonly declared: Declared | undefined
  readonly values: readonly unknown[]
}

async function modelOf(
  { name, kind, id, types, declared, example, inferred, values }: Outline,
  { schema: created, references }: ReturnType<typeof withReferences>,
): Promise<ResourceModel> {
  const schema: JsonSchema = declared ? await fitSchema(created, values, inferred) : created
  const optional = [...(kind === 'collection' ? [id] : []), ...(declared?.optional ?? [])]
  const shown = declared?.fits?.(example) === false ? undefined : asRead(example, schema)
  return {
    name,
    kind,
    id,
    types,
    schema: { title: types.row, ...(!declared?.schema && { $comment: INFERRED }), ...schema },
    newSchema: { title: types.fresh, ...sentSchema(created, optional) },
    idSchema: schema.properties?.[id] ?? {},
    references,
    definitions: {},
    named: new Set(declared?.fields),
    example: shown,
    newExample: exampleBody(shown, schema, kind === 'collection' ? [id] : []),
  }
}

export function databaseSchema(model: ApiModel): JsonSchema {
  return {
    $schema: DIALECT,
    ...databaseShape(model, ({ types }) => ({ $ref: `#/$defs/${types.row}` })),
    $defs: Object.fromEntries(
      model.resources.flatMap(({ types, schema, definitions }) => [
        [types.row, schema],
        ...Object.entries(definitions),
      ]),
    ),
  }
}

export function databaseShape(
  { resources }: ApiModel,
  rowOf: (resource: ResourceModel) => JsonSchema,
): JsonSchema {
  return {
    title: 'Database',
    type: 'object',
    properties: Object.fromEntries(
      resources.map((resource): [string, JsonSchema] => {
        const one = rowOf(resource)
        return [resource.name, resource.kind === 'collection' ? { type: 'array', items: one } : one]
      }),
    ),
    required: resources.map(({ name }) => name),
  }
}

/** The schema of a row. Without rows, only the id is known. */
function rowSchemaOf(inferred: JsonSchema, id: string): JsonSchema {
  if (inferred.type !== undefined) return inferred
  return {
    type: 'object',
    properties: Object.fromEntries([[id, ANY_ID]]),
    required: [id],
    additionalProperties: {},
  }
}

const ANY_ID: JsonSchema = { type: ['integer', 'string'] }

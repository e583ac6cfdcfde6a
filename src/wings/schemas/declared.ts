import { withoutFields } from '../../core/kernel/json/schema-fields.ts'
import { allowing, merged } from './combined.ts'
import { inlined } from './inlined.ts'
import type { JsonSchema } from './json-schema.ts'
import { completed, readSchema } from './row-schemas.ts'

export interface Declared {
  readonly schema?: object | undefined
  readonly fields?: readonly string[] | undefined
  readonly fits?: ((row: unknown) => boolean) | undefined
  readonly unique?: readonly (readonly string[])[] | undefined
  readonly references?: ReadonlyMap<string, string> | undefined
  readonly timestamps?: readonly string[] | undefined
  /** The field with the owner of a row, which the server fills in, unless nobody is logged in. */
  readonly owner?: { readonly field: string; readonly isAlways: boolean } | undefined
  /** Roles, of a collection of users. */
  readonly roles?: readonly string[] | undefined
  readonly optional?: readonly string[] | undefined
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  readonly hidden?: readonly string[] | undefined
  /** Made by the server of the other fields, wherever it can. */
  readonly computed?: readonly string[] | undefined
}

/** The schema of a row as written (or else `seen`), with further fields that rows have, and those of the server. */
export function declaredSchema(
  declared: Declared,
  seen: JsonSchema,
  id: string | undefined,
  inferred: JsonSchema,
): JsonSchema {
  const { hidden = [], computed = [], timestamps = [], owner, roles } = declared
  const key = id === undefined ? [] : [id]
  const isRow = id !== undefined
  const written: JsonSchema = declared.schema ? withoutFields(merged(inlined(declared.schema)), hidden) : {}
  const own = declared.schema ? completed(written, withoutFields(inferred, key)) : seen
  const fields = own.properties ?? {}
  const isSaid = (name: string) => Object.hasOwn(written.properties ?? {}, name)
  const ids: Fields =
    id === undefined || isSaid(id) ? [] : [[id, idSchema(declared, inferred.properties?.[id])]]
  const servers: Fields = [
    ...timestamps.map((name) => [name, byServer(isSaid(name) ? fields[name] : TIMESTAMP)] as const),
    ...(owner && (isRow || Object.hasOwn(fields, owner.field))
      ? [[owner.field, byServer(fields[owner.field])] as const]
      : []),
  ]
  const { role = {} } = fields
  const hasRole = roles !== undefined && !isSaid('role') && [role.type ?? 'string'].flat().join() === 'string'
  const made: Fields = [
    ...computed.map((name) => [name, byServer(fields[name])] as const),
    ...(hasRole ? [['role', { ...role, type: 'string', enum: roles }] as const] : []),
  ]
  // An object was there before the server could set anything.
  const always = isRow ? servers.map(([name]) => name) : []
  const required = new Set([...key, ...(own.required ?? []), ...always])
  if (owner && !owner.isAlways) required.delete(owner.field)
  const unjudged = declared.schema ? [...ids, ...servers, ...made].map(([name]) => name) : []
  // Every resource has a title of its own.
  const { required: _, properties: __, title: ___, ...rest } = allowing(own, unjudged)
  return readSchema({
    type: 'object',
    ...rest,
    properties: Object.fromEntries([
      ...ids.filter(([name]) => !Object.hasOwn(fields, name)),
      ...Object.entries(fields),
      ...ids,
      ...servers,
      ...made,
    ]),
    ...(required.size > 0 && { required: [...required] }),
    ...(declared.unique && { 'x-unique': declared.unique.map((fields) => [...fields]) }),
  })
}

type Fields = readonly (readonly [string, JsonSchema])[]

const TIMESTAMP: JsonSchema = { type: 'string', format: 'date-time' }

function byServer({ $comment: _, ...field }: JsonSchema = {}): JsonSchema {
  return { ...field, readOnly: true }
}

function idSchema({ ids }: Declared, inferred: JsonSchema | undefined): JsonSchema {
  if (ids === undefined) return inferred ?? { type: ['integer', 'string'] }
  const made = MADE[ids]
  if (!inferred) return made
  const types = [...new Set([inferred.type ?? [], made.type ?? []].flat())]
  const [only] = types
  return {
    ...(types.length === 1 && only ? { type: only } : { type: types }),
    ...(made.format !== undefined && made.format === inferred.format && { format: made.format }),
  }
}

const MADE: Readonly<Record<NonNullable<Declared['ids']>, JsonSchema>> = {
  increment: { type: 'integer' },
  uuid: { type: 'string', format: 'uuid' },
  nanoid: { type: 'string' },
}

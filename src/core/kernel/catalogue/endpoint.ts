import type { ErrorCode } from './errors.ts'
import type { OperationKind, ServerKind } from './operation-kinds.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface Content {
  readonly schema: object
  readonly example?: unknown
  /** Schemas of other media types that are taken, too. */
  readonly others?: Readonly<Record<string, object>>
}

/** An operation of an endpoint: its kind, parameters and responses. */
export interface Endpoint {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly kind: OperationKind
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly object[]
  readonly body?: Content
  readonly isBodyOptional?: boolean
  readonly response: Content & { readonly status?: number; readonly mediaType?: string }
  readonly headers?: readonly string[]
  /** 404 with `{}`. */
  readonly mayBeMissing?: boolean
  readonly errors?: readonly ErrorCode[]
  /** Where there are accounts. Beside the base, some change nothing but that world's own copy of the data. */
  readonly isFor?: 'admins' | 'admins of the base'
  /** Kept from pages of other sites, and from clients without a token where writes take one, although it is a read. */
  readonly isPrivate?: boolean
  /** A resource of the same name takes its place. */
  readonly givesWay?: boolean
}

/** An error that operations of these kinds have as well. */
export interface AddedError {
  readonly code: ErrorCode
  readonly kinds: readonly OperationKind[]
}

/** A media type of bodies that a feature adds to operations. */
export interface AddedBody {
  readonly type: string
  readonly kinds: readonly OperationKind[]
  /** @param row what is sent as JSON */
  schemaOf(row: { readonly properties?: Readonly<Record<string, unknown>> }): object
}

/** Details of an endpoint besides its address and summary, in a shorter form than `Endpoint`. */
interface Details
  extends Pick<
    Endpoint,
    'headers' | 'isBodyOptional' | 'mayBeMissing' | 'errors' | 'isFor' | 'isPrivate' | 'givesWay'
  > {
  readonly kind?: ServerKind
  /** Schemas of parameters: of those in the path, which are strings otherwise, and in the query. */
  readonly takes?: Readonly<Record<string, object>>
  readonly body?: object
  readonly example?: unknown
  readonly gives?: object
  readonly status?: number
  readonly mediaType?: string
}

type Row = readonly [
  at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  summary: string,
  details?: Details,
]

export type Endpoints<Id extends string = string> = Readonly<Record<Id, Endpoint>>

/**
 * The endpoints of a file, by their ids, with what all of them have in common.
 * @example endpoints({ kind: 'about' }, { getStats: ['GET /stats', 'Number of items', { gives: STATS }] })
 */
export function endpoints<Id extends string>(common: Details, rows: Readonly<Record<Id, Row>>): Endpoints<Id>
export function endpoints(common: Details, rows: Readonly<Record<string, Row>>): Endpoints {
  const entries = Object.entries(rows).map(([id, [at, summary, details]]) => {
    const {
      takes = {},
      body,
      example,
      gives = ANY,
      status,
      mediaType,
      kind = 'about',
      ...rest
    } = {
      ...common,
      ...details,
    }
    const [method = '', path = ''] = at.split(' ')
    const names = Object.keys(takes).filter((name) => !path.includes(`{${name}}`))
    return {
      id,
      method: asMethod(method),
      path,
      kind,
      summary,
      parameters: [
        ...pathParameters(path, takes),
        ...names.map((name) => ({ name, in: 'query', schema: takes[name] ?? TEXT })),
      ],
      ...(body && { body: { schema: body, example } }),
      response: { schema: gives, ...(status && { status }), ...(mediaType && { mediaType }) },
      ...rest,
    } satisfies Endpoint
  })
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]))
}

/** The parameters in a path such as `/__faults/{id}`. */
export function pathParameters(
  path: string,
  schemas: Readonly<Record<string, object>> = {},
): readonly object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.map((name) => ({ name, in: 'path', required: true, schema: schemas[name] ?? TEXT }))
}

export function asMethod(name: string): Method {
  const method = (['post', 'put', 'patch', 'delete'] as const).find((one) => one.toUpperCase() === name)
  return method ?? 'get'
}

export const TEXT = { type: 'string' }
export const TIME = { ...TEXT, format: 'date-time' }
export const INTEGER = { type: 'integer' }
export const COUNT = { type: 'integer', minimum: 0 }
const ANY = { type: 'object' }
export const OPEN = { type: 'object', additionalProperties: true }

export function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}

export function listOf(items: object): object {
  return { type: 'array', items }
}

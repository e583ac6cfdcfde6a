import { bodiesOf, type Content, media } from './contents.ts'
import { errorResponse, errorsOf, NOT_FOUND, type SaidError } from './error-response.ts'
import type { ApiSettings } from './settings.ts'
import type { Place } from './tables/api-error.ts'
import { DATA_READS, DATA_WRITES, type Deed } from './tables/deeds.ts'
import { securityOf } from './tables/guards.ts'
import { headersOf } from './tables/headers.ts'
import { parametersOf } from './tables/parameters.ts'

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly object[]
  readonly responses: Readonly<Record<string, object>>
  readonly [field: string]: unknown
}

export type PathItem = Readonly<Record<string, Operation>>
export type Paths = Readonly<Record<string, PathItem>>

export interface Wanted {
  readonly deed: Deed
  readonly path: string
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** In addition to those of every such operation. */
  readonly parameters?: readonly object[]
  readonly body?: Content
  readonly isBodyOptional?: boolean
  readonly answer: Content & { readonly status?: number; readonly mediaType?: string }
  /** 404 with `{}`. */
  readonly mayBeMissing?: boolean
}

/** Builds operations from the tables, and collects the error responses that they share. */
export class Operations {
  readonly settings: ApiSettings
  readonly #deeds = new Map<string, Deed>()
  /** Filters are the same wherever their resource is listed. */
  readonly #filters = new Map<string, { name: string; parameter: object }>()
  readonly #responses = new Map<string, { name: string; response: object }>()
  readonly #schemas = new Map<string, object>()

  constructor(settings: ApiSettings) {
    this.settings = settings
  }

  make(wanted: Wanted): Operation {
    const { deed, path, id, tag, summary, description, body, answer } = wanted
    const own = wanted.parameters ?? []
    const names = new Set(own.map((parameter) => String(Reflect.get(parameter, 'name'))))
    const given = own.map((parameter) => this.#shared(parameter))
    const parameters = [...given, ...parametersOf(deed, this.settings, names)]
    return {
      operationId: this.#uniqueId(id, deed),
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: { required: deed !== 'rewind' && !wanted.isBodyOptional, content: bodiesOf(deed, body) },
      }),
      responses: {
        ...this.#successes(deed, summary, answer),
        ...(DATA_READS.includes(deed) && { 304: { description: 'Not modified' } }),
        ...(wanted.mayBeMissing && { 404: { $ref: '#/components/responses/NotFound' } }),
        ...this.#errors({ deed, resource: tag, path }),
      },
      security: securityOf({ deed, resource: tag, path }, this.settings),
    }
  }

  #successes(
    deed: Deed,
    description: string,
    { status = 200, mediaType, ...content }: Wanted['answer'],
  ): object {
    const headers = (code: number) => ({ headers: headersOf(deed, code, this.settings) })
    const body = { content: { [mediaType ?? 'application/json']: media(content) } }
    return {
      [status]: { description, ...headers(status), ...body },
      ...(deed === 'replace' && { 201: { description: 'Created: see `_upsert`', ...headers(201), ...body } }),
      // A new item is always 201.
      ...(DATA_WRITES.includes(deed) &&
        status !== 201 && { 204: { description: 'Done: see `Prefer`', ...headers(204) } }),
    }
  }

  /** Operations that a read-only server does not have. */
  writes(make: () => PathItem): PathItem {
    return this.settings.readOnly ? {} : make()
  }

  /** The same operation at another path, which may be public. */
  movedTo(path: string, operation: Operation): Operation {
    const deed = this.#deeds.get(operation.operationId) ?? 'about'
    const place = { deed, resource: tagOf(operation), path }
    const { responses, ...rest } = operation
    const isError = ([status]: [string, unknown]) => Number(status) >= 400 && status !== '404'
    const others = Object.entries(responses).filter((entry) => !isError(entry))
    return {
      ...rest,
      operationId: this.#uniqueId(`${operation.operationId}Alias`, deed),
      responses: { ...Object.fromEntries(others), ...this.#errors(place) },
      security: securityOf(place, this.settings),
    }
  }

  /** A reference to a schema of this name, which is made if it is not there yet. */
  schema(name: string, make: () => object): { $ref: string } {
    if (!this.#schemas.has(name)) this.#schemas.set(name, make())
    return { $ref: `#/components/schemas/${name}` }
  }

  schemas(): Record<string, object> {
    return Object.fromEntries(this.#schemas)
  }

  filters(): Record<string, object> {
    return Object.fromEntries([...this.#filters.values()].map(({ name, parameter }) => [name, parameter]))
  }

  #shared(parameter: object): object {
    if (Reflect.get(parameter, 'in') !== 'query') return parameter
    const key = JSON.stringify(parameter)
    const known = this.#filters.get(key) ?? { name: `filter-${this.#filters.size + 1}`, parameter }
    this.#filters.set(key, known)
    return { $ref: `#/components/parameters/${known.name}` }
  }

  #uniqueId(wanted: string, deed: Deed): string {
    let id = wanted
    for (let number = 2; this.#deeds.has(id); number++) id = `${wanted}${number}`
    this.#deeds.set(id, deed)
    return id
  }

  components(): Record<string, object> {
    const named = [...this.#responses.values()].map(({ name, response }) => [name, response] as const)
    return Object.fromEntries([['NotFound', NOT_FOUND], ...named])
  }

  #errors(place: Place): Record<number, object> {
    const errors = errorsOf(place, this.settings)
    return Object.fromEntries(
      [...errors].map(([status, all]) => [
        status,
        { $ref: `#/components/responses/${this.#nameOf(status, all)}` },
      ]),
    )
  }

  #nameOf(status: number, errors: readonly SaidError[]): string {
    const key = JSON.stringify(errors.map(({ code, when }) => [status, code, when]))
    const known = this.#responses.get(key)
    if (known) return known.name
    const count = [...this.#responses.values()].filter(({ name }) => name.startsWith(`Error${status}`)).length
    const name = `Error${status}${count === 0 ? '' : `-${count + 1}`}`
    this.#responses.set(key, { name, response: errorResponse(errors) })
    return name
  }
}

function tagOf({ tags }: Operation): string {
  return Array.isArray(tags) ? String(tags[0]) : ''
}

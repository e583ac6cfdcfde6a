import { type Endpoint, pathParameters } from '../../catalogue/endpoint.ts'
import { ERRORS } from '../../catalogue/errors.ts'
import { DATA_READS, DATA_WRITES } from '../../catalogue/operation-kinds.ts'
import type { ResponseShape } from '../../shape/response-shape.ts'
import { freeName } from '../../util/free-name.ts'
import { bodiesOf, componentRef, errorResponse, media, NOT_FOUND } from './contents.ts'
import { type DescribedError, errorsOf } from './errors.ts'
import { headersOf } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { securityOf } from './security.ts'
import { type ApiSettings, isWrite, type OperationContext } from './settings.ts'
import { isOfData } from './shaped-operation.ts'

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly object[]
  readonly responses: Readonly<Record<string, object>>
  readonly [field: string]: unknown
}

export type PathItem = Readonly<Record<string, Operation>>
export type Paths = Readonly<Record<string, PathItem>>

type Response = Omit<Endpoint['response'], 'mediaType'> & { readonly mediaType?: string | undefined }

const EXPLANATION = { type: 'object', description: 'What the query means: see `_explain`' }

/** They change no row, so a read-only server has them. */
const LOGINS: readonly string[] = ['login', 'logout']

/** Builds operations from endpoints and the tables, and collects what they share. */
export class Operations {
  readonly settings: ApiSettings
  readonly #paths = new Map<string, PathItem>()
  readonly #added = new Map<string, ReadonlyMap<string, { tag: string; endpoint: Endpoint }>>()
  readonly #ids = new Set<string>()
  readonly #filters = new Map<string, { name: string; parameter: object }>()
  readonly #responses = new Map<string, { name: string; response: object }>()
  readonly #headers = new Map<string, object>()
  readonly #schemas = new Map<string, object>()
  readonly #shapes: ResponseShape[] = []

  constructor(settings: ApiSettings) {
    this.settings = settings
  }

  /** Adds an operation, unless the server is read-only. Of two with the same path and method, the later one wins. */
  add(tag: string, endpoint: Endpoint): void {
    const { path, method, kind } = endpoint
    if (this.settings.readOnly && isWrite(endpoint) && !LOGINS.includes(kind)) return
    const operation = this.#make(tag, endpoint)
    this.#paths.set(path, { ...this.#paths.get(path), [method]: operation })
    const id = operation.operationId
    this.#added.set(path, new Map(this.#added.get(path)).set(method, { tag, endpoint: { ...endpoint, id } }))
  }

  /** The operations of a path once more, at another one, which may be public. */
  addAgain(known: string, path: string, description: string): void {
    for (const { tag, endpoint } of this.#added.get(known)?.values() ?? []) {
      const others = (endpoint.parameters ?? []).filter((one) => Reflect.get(one, 'in') !== 'path')
      const parameters = [...pathParameters(path), ...others]
      this.add(tag, { ...endpoint, id: `${endpoint.id}Alias`, path, description, parameters })
    }
  }

  get knownPaths(): readonly string[] {
    return [...this.#paths.keys()]
  }

  get paths(): Paths {
    return Object.fromEntries(this.#paths)
  }

  #make(tag: string, endpoint: Endpoint): Operation {
    const { kind, id, summary, description, body, response, isBodyOptional = false } = endpoint
    const context = { ...endpoint, tag }
    const shape = isOfData(endpoint) ? this.settings.shapes?.of(tag) : undefined
    const own = endpoint.parameters ?? []
    const names = new Set(own.map((parameter) => String(Reflect.get(parameter, 'name'))))
    const given = own.map((parameter) => this.#shared(parameter))
    const parameters = [...given, ...parametersOf(kind, this.settings, names)]
    return {
      operationId: this.#uniqueId(id),
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: { required: !isBodyOptional, content: bodiesOf(kind, body, shape?.template.type) },
      }),
      responses: {
        ...this.#successes(endpoint, { mediaType: shape?.template.type, ...response }),
        ...(DATA_READS.includes(kind) && { 304: { description: 'Not modified' } }),
        ...(endpoint.mayBeMissing && { 404: this.#notFound(shape) }),
        ...this.#errors(context, shape),
      },
      security: securityOf(context, this.settings),
    }
  }

  #successes(
    endpoint: Endpoint,
    { status = 200, mediaType = 'application/json', ...content }: Response,
  ): object {
    const { kind, summary } = endpoint
    const headers = (code: number) => ({ headers: this.#headersOf(endpoint, code) })
    const isExplained = kind === 'list' && mediaType !== 'application/json'
    const body = {
      content: {
        [mediaType]: media(content),
        ...(isExplained && { 'application/json': { schema: EXPLANATION } }),
      },
    }
    return {
      [status]: { description: summary, ...headers(status), ...body },
      ...(kind === 'replace' && { 201: { description: 'Created: see `_upsert`', ...headers(201), ...body } }),
      // A new item is always 201.
      ...(DATA_WRITES.includes(kind) &&
        status !== 201 && { 204: { description: 'Done: see `Prefer`', ...headers(204) } }),
    }
  }

  #headersOf(endpoint: Endpoint, status: number): Record<string, object> {
    const headers = headersOf(endpoint, status, this.settings)
    for (const [name, header] of headers) this.#headers.set(name, header)
    return Object.fromEntries([...headers.keys()].map((name) => [name, componentRef('headers', name)]))
  }

  schema(name: string, make: () => object): { $ref: string } {
    if (!this.#schemas.has(name)) this.#schemas.set(name, make())
    return componentRef('schemas', name)
  }

  get components(): Record<'schemas' | 'parameters' | 'headers' | 'responses', Record<string, object>> {
    const filters = [...this.#filters.values()].map(({ name, parameter }) => [name, parameter])
    const responses = [...this.#responses.values()].map(({ name, response }) => [name, response])
    return {
      schemas: Object.fromEntries(this.#schemas),
      parameters: Object.fromEntries(filters),
      headers: Object.fromEntries(this.#headers),
      responses: Object.fromEntries([['NotFound', NOT_FOUND], ...responses]),
    }
  }

  #shared(parameter: object): object {
    if (Reflect.get(parameter, 'in') !== 'query') return parameter
    const key = JSON.stringify(parameter)
    const known = this.#filters.get(key) ?? { name: `filter-${this.#filters.size + 1}`, parameter }
    this.#filters.set(key, known)
    return componentRef('parameters', known.name)
  }

  #uniqueId(wanted: string): string {
    const id = freeName(wanted, (taken) => this.#ids.has(taken))
    this.#ids.add(id)
    return id
  }

  #notFound(shape: ResponseShape | undefined): object {
    if (!shape?.hasErrors) return componentRef('responses', 'NotFound')
    const key = `NotFound ${this.#numberOf(shape)}`
    const name = key.replace(' ', '-')
    const error = { code: 'NOT_FOUND', when: ERRORS.NOT_FOUND[2] } as const
    if (!this.#responses.has(key)) this.#responses.set(key, { name, response: errorResponse([error], shape) })
    return componentRef('responses', name)
  }

  #numberOf(shape: ResponseShape | undefined): number {
    if (shape && !this.#shapes.includes(shape)) this.#shapes.push(shape)
    return shape ? this.#shapes.indexOf(shape) + 1 : 0
  }

  #errors(place: OperationContext, shape: ResponseShape | undefined): Record<number, object> {
    const errors = [...errorsOf(place, this.settings)]
    return Object.fromEntries(
      errors.map(([status, all]) => [status, componentRef('responses', this.#nameOf(status, all, shape))]),
    )
  }

  #nameOf(status: number, errors: readonly DescribedError[], shape: ResponseShape | undefined): string {
    const key = JSON.stringify([status, errors, this.#numberOf(shape)])
    const known = this.#responses.get(key)
    if (known) return known.name
    const count = [...this.#responses.values()].filter(({ name }) => name.startsWith(`Error${status}`)).length
    const name = `Error${status}${count === 0 ? '' : `-${count + 1}`}`
    this.#responses.set(key, { name, response: errorResponse(errors, shape) })
    return name
  }
}

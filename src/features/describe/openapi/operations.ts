import { type Endpoint, pathParameters } from '../../../core/kernel/catalogue/endpoint.ts'
import { ERRORS } from '../../../core/kernel/catalogue/errors.ts'
import { DATA_READS, DATA_WRITES } from '../../../core/kernel/catalogue/operation-kinds.ts'
import { freeName } from '../../../core/kernel/util/free-name.ts'
import { getOrMake } from '../../../core/kernel/util/get-or-make.ts'
import { hasNoBody, type OwnStatuses, statusOfWrite } from '../../../core/router/own-statuses.ts'
import type { ResponseShape } from '../../../wings/shapes/response-shape.ts'
import { bodiesOf, componentRef, errorResponse, media, NOT_FOUND } from './contents.ts'
import { errorsOf } from './errors.ts'
import { headersOf } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { securityOf } from './security.ts'
import { type ApiSettings, isWrite, type OperationContext } from './settings.ts'
import { isOfData } from './shaped-operation.ts'

export interface ApiOperation {
  readonly operationId: string
  readonly parameters?: readonly object[]
  readonly responses: Readonly<Record<string, object>>
  readonly [field: string]: unknown
}

export type PathItem = Readonly<Record<string, ApiOperation>>
export type Paths = Readonly<Record<string, PathItem>>

type Response = Omit<Endpoint['response'], 'mediaType'> & { readonly mediaType?: string | undefined }

const CREATED = 'Created: see `_upsert`'

const EXPLANATION = { type: 'object', description: 'What the query means: see `_explain`' }

/** Operations that change no row: a read-only server has them. */
const LOGINS: readonly string[] = ['login', 'logout']

type Component = 'schemas' | 'parameters' | 'headers' | 'responses'

/** Builds operations from endpoints and the tables, and collects what they share. */
export class Operations {
  readonly settings: ApiSettings
  readonly #paths = new Map<string, PathItem>()
  readonly #added = new Map<string, ReadonlyMap<string, { tag: string; endpoint: Endpoint }>>()
  readonly #ids = new Set<string>()
  /** Components that operations share, by name. */
  readonly components: Readonly<Record<Component, Record<string, object>>> = {
    schemas: {},
    parameters: {},
    headers: {},
    responses: { NotFound: NOT_FOUND },
  }
  /** The names of filters and of errors, by what they say. */
  readonly #filters = new Map<string, string>()
  readonly #errors = new Map<string, string>()
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

  #make(tag: string, endpoint: Endpoint): ApiOperation {
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
        ...this.#successes(endpoint, { mediaType: shape?.template.type, ...response }, shape?.status),
        ...(DATA_READS.includes(kind) && { 304: { description: 'Not modified' } }),
        ...(endpoint.mayBeMissing && shape?.status.missing === undefined && { 404: this.#notFound(shape) }),
        ...this.#errorsOf(context, shape),
      },
      security: securityOf(context, this.settings),
    }
  }

  #successes(
    endpoint: Endpoint,
    { status = 200, mediaType = 'application/json', ...content }: Response,
    own: OwnStatuses = {},
  ): object {
    const { kind, summary, method } = endpoint
    const isExplained = kind === 'list' && mediaType !== 'application/json'
    const body = {
      content: {
        [mediaType]: media(content),
        ...(isExplained && { 'application/json': { schema: EXPLANATION } }),
      },
    }
    const respond = (ours: number, description: string, sent = ours) => ({
      [sent]: { description, headers: this.#headersOf(endpoint, ours), ...(!hasNoBody(sent) && body) },
    })
    const isWriting = DATA_WRITES.includes(kind)
    const sent = isWriting ? statusOfWrite(own, method, status) : status
    const created = statusOfWrite(own, method, 201)
    return {
      // A new item is always 201, unless a shape says otherwise.
      ...(isWriting && status !== 201 && respond(204, 'Done: see `Prefer`')),
      ...(kind === 'replace' && { ...respond(201, CREATED), ...respond(201, CREATED, created) }),
      ...(sent !== status && respond(status, 'With `Prefer: return`')),
      ...respond(status, summary, sent),
    }
  }

  #headersOf(endpoint: Endpoint, status: number): Record<string, object> {
    const headers = [...headersOf(endpoint, status, this.settings)]
    return Object.fromEntries(
      headers.map(([name, header]) => [name, this.share('headers', name, () => header)]),
    )
  }

  /** A reference to a component, which is made with the first one. */
  share(kind: Component, name: string, make: () => object): { $ref: string } {
    this.components[kind][name] ??= make()
    return componentRef(kind, name)
  }

  #shared(parameter: object): object {
    if (Reflect.get(parameter, 'in') !== 'query') return parameter
    const next = `filter-${this.#filters.size + 1}`
    const name = getOrMake(this.#filters, JSON.stringify(parameter), () => next)
    return this.share('parameters', name, () => parameter)
  }

  #uniqueId(wanted: string): string {
    const id = freeName(wanted, (taken) => this.#ids.has(taken))
    this.#ids.add(id)
    return id
  }

  #notFound(shape: ResponseShape | undefined): object {
    if (!shape?.hasErrors) return componentRef('responses', 'NotFound')
    const error = { code: 'NOT_FOUND', when: ERRORS.NOT_FOUND[2] } as const
    return this.share('responses', `NotFound-${this.#numberOf(shape)}`, () => errorResponse([error], shape))
  }

  #numberOf(shape: ResponseShape): number {
    if (!this.#shapes.includes(shape)) this.#shapes.push(shape)
    return this.#shapes.indexOf(shape) + 1
  }

  #errorsOf(place: OperationContext, shape: ResponseShape | undefined): Record<number, object> {
    const { responses } = this.components
    const errors = [...errorsOf(place, this.settings)].map(([status, all]) => {
      const key = JSON.stringify([status, all, shape && this.#numberOf(shape)])
      const free = () => freeName(`Error${status}`, (taken) => Object.hasOwn(responses, taken), '-')
      const name = getOrMake(this.#errors, key, free)
      return [status, this.share('responses', name, () => errorResponse(all, shape))] as const
    })
    return Object.fromEntries(errors)
  }
}

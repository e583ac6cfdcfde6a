import { basename } from 'node:path'
import { type ApiModel, apiModel, type Describable, databaseSchema } from '../../../schema/api-model.ts'
import { DIALECT, type JsonSchema } from '../../../schema/json-schema.ts'
import { type OpenApiDocument, openApiDocument } from '../../../schema/openapi/openapi-document.ts'
import type { ApiSettings } from '../../../schema/openapi/settings.ts'
import { withShownKeys } from '../../../schema/shaped.ts'
import type { Surveys } from '../../../schema/survey.ts'
import { typesText } from '../../../schema/types-text.ts'
import { isPostgres } from '../../../stores/postgres/address.ts'
import { describeHandlers } from '../../../wings/logic/describe-handlers.ts'
import type { ParsedLogic } from '../../../wings/logic/parse-logic.ts'
import { ResponseShapes } from '../../../wings/shapes/response-shape.ts'
import type { EngineAccess } from '../../engine/engine.ts'
import { readValues } from '../../engine/read-rows.ts'
import type { Endpoint } from '../../kernel/catalogue/endpoint.ts'
import { collectPieces, prettyJson } from '../../kernel/json/pretty-json.ts'
import { SingleFlight } from '../../kernel/util/single-flight.ts'
import { rewriting } from '../../layers/rewriter.ts'
import { routerSettings } from '../../router/context.ts'
import { packageVersion } from '../package-version.ts'
import { accessIn } from './client-access.ts'
import { declaredOf, enforcedIn } from './declared-of.ts'
import { describeLayers } from './describe-service.ts'
import type { Parts } from './service-parts.ts'

export interface SelfDescribed extends Pick<Parts, 'config' | 'rules' | 'schemas'> {
  readonly engine: EngineAccess
  readonly endpoints: readonly Endpoint[]
  readonly logic?: ParsedLogic | undefined
}

/** Describes a service on demand, from its current data. Schemas of unchanged resources are cached. */
export class SelfDescription {
  readonly #described: SelfDescribed
  readonly #shapes: ResponseShapes | undefined
  readonly #surveys: Surveys = new SingleFlight({ isKept: true })
  readonly #models = new SingleFlight<ApiModel>({ isKept: true })
  /** Not kept: they are large, and quickly made of a model. */
  readonly #documents = new SingleFlight<Buffer>({ isKept: false })

  constructor(described: SelfDescribed) {
    this.#described = described
    this.#shapes = ResponseShapes.open(described.config)
  }

  schema(isPlain: boolean): Promise<Buffer> {
    return this.#shared(`schema ${isPlain}`, () => this.schemaDocument(isPlain))
  }

  async schemaOf(name: string, isPlain: boolean): Promise<Buffer | undefined> {
    const { resources } = await this.#shownModel(isPlain)
    const found = resources.find((resource) => resource.name === name)
    if (!found) return undefined
    const { schema, definitions } = found
    const isDefined = Object.keys(definitions).length > 0
    return written({ $schema: DIALECT, ...schema, ...(isDefined && { $defs: definitions }) })
  }

  openApi(origin: string): Promise<Buffer> {
    return this.#shared(`openapi ${origin}`, () => this.openApiDocument(origin))
  }

  async schemaDocument(isPlain = false): Promise<JsonSchema> {
    return databaseSchema(await this.#shownModel(isPlain))
  }

  async openApiDocument(origin: string): Promise<OpenApiDocument> {
    const shapes = this.#shapes
    return openApiDocument(await this.#shownModel(), { ...settingsOf(this.#described, origin), shapes })
  }

  async types(): Promise<string> {
    const { config } = this.#described
    const { readOnly, source } = config
    const shapes = this.#shapes
    const stored = await this.#model()
    return typesText(withShownKeys(stored, shapes), { readOnly, source: nameOf(source), shapes, stored })
  }

  /** In the names that clients know, unless it is for one that asks for rows as they are. */
  async #shownModel(isPlain = false): Promise<ApiModel> {
    const model = await this.#model()
    return isPlain ? model : withShownKeys(model, this.#shapes)
  }

  async #model(): Promise<ApiModel> {
    const isCurrent = await this.#isCurrent()
    const { config, engine, schemas, logic } = this.#described
    const data: Describable = {
      naming: engine.naming,
      names: () => engine.names(),
      kindOf: (name) => engine.kindOf(name),
      declared: (name) => declaredOf(config, schemas, name, logic),
      read: (name) => readValues(engine, name),
    }
    return this.#models.get('', isCurrent, () => apiModel(data, this.#surveys))
  }

  async #shared(name: string, make: () => Promise<object>): Promise<Buffer> {
    const isCurrent = await this.#isCurrent()
    return this.#documents.get(name, isCurrent, async () => written(await make()))
  }

  /** A function that returns whether the data is unchanged. */
  async #isCurrent(): Promise<() => boolean> {
    const { engine } = this.#described
    await engine.catchUp()
    const { state } = engine
    return () => engine.state === state
  }
}

async function written(document: object): Promise<Buffer> {
  return Buffer.concat(await collectPieces(prettyJson(document)))
}

function settingsOf({ config, engine, rules, endpoints, logic }: SelfDescribed, origin: string): ApiSettings {
  const access = accessIn(config, engine.naming)?.describe
  const hasCorsLayer = config.middlewares.includes('cors')
  return {
    title: nameOf(config.source) ?? 'restable',
    version: packageVersion(),
    servers: [origin],
    endpoints: [...endpoints, ...describeHandlers(logic)],
    readOnly: config.readOnly,
    ...routerSettings(config),
    sessions: config.sessions !== false,
    database: isPostgres(config.source),
    faults: !config.noFaults,
    jsonp: config.allowedOrigins === undefined && !(config.noCors && !hasCorsLayer),
    originChecks: { hosts: config.allowedHosts !== undefined, origins: config.allowedOrigins !== undefined },
    enforced: enforcedIn(config),
    ...(access && { access }),
    layers: describeLayers(config),
    rules,
    rewrite: rewriting(rules),
  }
}

/** The last part only: a path would reveal the machine, and a URL may contain a password. */
function nameOf(source: string | readonly string[] | undefined): string | undefined {
  if (source === undefined) return undefined
  if (typeof source !== 'string') return source.map(nameOf).join(', ')
  if (!URL.canParse(source)) return basename(source)
  const { host, pathname } = new URL(source)
  return basename(pathname) || host || undefined
}

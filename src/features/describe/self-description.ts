import { basename } from 'node:path'
import { accessIn } from '../../config/access-in.ts'
import { declaredOf } from '../../config/declared-of.ts'
import { describeLayers } from '../../config/describe-layers.ts'
import type { EngineAccess } from '../../core/engine/engine.ts'
import { readValues } from '../../core/engine/read-rows.ts'
import { collectPieces, prettyJson } from '../../core/kernel/json/pretty-json.ts'
import { packageVersion } from '../../core/kernel/util/package-version.ts'
import { SingleFlight } from '../../core/kernel/util/single-flight.ts'
import { rewriting } from '../../core/layers/rewriter.ts'
import { routerSettings } from '../../core/router/context.ts'
import { isPostgres } from '../../stores/postgres/address.ts'
import { describeHandlers } from '../../wings/logic/describe-handlers.ts'
import type { ParsedLogic } from '../../wings/logic/parse-logic.ts'
import { DIALECT, type JsonSchema } from '../../wings/schemas/json-schema.ts'
import { ResponseShapes } from '../../wings/shapes/response-shape.ts'
import { documented, type Feature, featuresOn, type Generation } from '../feature.ts'
import { type ApiModel, apiModel, type Describable, databaseSchema } from './api-model.ts'
import { enforcedIn } from './enforced-in.ts'
import { type OpenApiDocument, openApiDocument } from './openapi/openapi-document.ts'
import type { ApiSettings } from './openapi/settings.ts'
import { withShownKeys } from './shaped.ts'
import type { Surveys } from './survey.ts'
import { typesText } from './types-text.ts'

export interface SelfDescribed extends Pick<Generation, 'config' | 'rewrites' | 'schemas'> {
  readonly engine: EngineAccess
  readonly features: readonly Feature[]
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

function settingsOf(
  { config, engine, rewrites, features, logic }: SelfDescribed,
  origin: string,
): ApiSettings {
  const access = accessIn(config, engine.naming)?.describe
  const described = documented(features, config)
  const hasCorsLayer = config.middlewares.includes('cors')
  return {
    title: nameOf(config.source) ?? 'restable',
    version: packageVersion(),
    servers: [origin],
    ...described,
    endpoints: [...described.endpoints, ...describeHandlers(logic)],
    readOnly: config.readOnly,
    ...routerSettings(config),
    sessions: featuresOn(features, config).some(({ hasWorlds }) => hasWorlds),
    database: isPostgres(config.source),
    jsonp: config.allowedOrigins === undefined && !(config.noCors && !hasCorsLayer),
    originChecks: { hosts: config.allowedHosts !== undefined, origins: config.allowedOrigins !== undefined },
    enforced: enforcedIn(config),
    ...(access && { access }),
    layers: describeLayers(config),
    rewrites,
    rewrite: rewriting(rewrites),
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

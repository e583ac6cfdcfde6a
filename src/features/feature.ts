import type { Request, RequestHandler } from 'express'
import type { OpenedSchemas } from '../config/resources/open-resources.ts'
import type { Engine, EngineAccess } from '../core/engine/engine.ts'
import type { Access } from '../core/engine/rules/rights.ts'
import type { AddedBody, AddedError, Endpoint, Endpoints } from '../core/kernel/catalogue/endpoint.ts'
import type { ParameterName } from '../core/kernel/catalogue/parameters.ts'
import type { RewriteRules, RewriteUrl } from '../core/kernel/http/request-url.ts'
import type { Feed } from '../core/kernel/util/feed.ts'
import type { Attachments } from '../core/router/attachments.ts'
import type { PasswordHasherOf } from '../core/router/context.ts'
import type { Sent } from '../core/router/response/response-cache.ts'
import type { RouterOptions } from '../source/open-router.ts'
import type { Images } from '../stores/file/snapshots.ts'
import type { Connections } from '../stores/postgres/connections.ts'
import type { ParsedLogic } from '../wings/logic/parse-logic.ts'
import type { Beginnings } from './beginnings.ts'
import type { CauseOf, NeedsOfLayer } from './layer-wiring.ts'
import type { Reloader, ReloaderOptions } from './reloader.ts'
import type { ServedWorld } from './served-world.ts'
import type { Config } from './settings.ts'
import type { Certificate } from './tls.ts'
import type { Worlds, WorldsHost } from './worlds.ts'

/** A part of the server that can be taken out: a folder, a line of `list.ts`, and one of `settings.ts` if it has settings. */
export interface Feature {
  readonly name: string
  /** Mounted, guarded and documented from here. */
  readonly endpoints?: Endpoints | readonly Endpoint[]
  readonly isOn?: (config: Config) => boolean
  /** Whether the OpenAPI document has its endpoints. @default isOn */
  readonly isDescribed?: (config: Config) => boolean
  /**
   * Data that it serves in place of the source. Then nothing is stored, no response is sent again, and only features with
   * `isHosted` have endpoints.
   */
  readonly data?: (config: Config) => object | undefined
  readonly isHosted?: boolean
  /** Whether requests may name a world beside the base. */
  readonly hasWorlds?: boolean
  /** Whether a data file that is missing begins empty, rather than with sample data. */
  readonly startsEmpty?: (config: Config) => boolean
  /** Errors that it adds to operations of others. */
  readonly errors?: readonly AddedError[]
  /** Bodies that it reads in operations of others. */
  readonly bodies?: readonly AddedBody[]
  /** Query parameters that only it reads. */
  readonly parameters?: readonly ParameterName[]
  /** Request headers that browsers send only if CORS allows them, and what needs them. */
  readonly headers?: (config: Config) => readonly (readonly [header: string, user: string])[]
  readonly warnings?: (config: Config) => Iterable<string>
  /** The handler beside a router that is used without a server. */
  readonly beside?: (router: BareRouter) => RequestHandler
  /** Hashes the passwords that clients write. */
  readonly sealOf?: (config: Config) => PasswordHasherOf | undefined
  /** Needs of the layer that has its name. */
  readonly layerNeeds?: NeedsOfLayer
  /** The URL that the rules make of a URL. */
  readonly rewriteBy?: (rules: RewriteRules) => RewriteUrl
  /** A certificate for encrypted connections. */
  readonly tls?: (config: Config) => Promise<Certificate>
  /** Loads changed files while the service runs. */
  readonly reloads?: (config: Config, options: ReloaderOptions) => Reloader
  /** Once for a service. */
  open(): OpenFeature
}

export interface BareRouter {
  readonly engine: Engine
  readonly source: string | object
  readonly options: RouterOptions
}

export interface OpenFeature<Kept extends Active = Active> {
  /**
   * Once for each config, also where the feature is off. Requests in flight keep what they started with.
   * @param old what the config before it had: state that is still valid goes on
   */
  under(now: Generation, old?: Kept): Kept
  /** Loads how worlds may begin under a config, for one feature of a service. Absent: as the base is. */
  beginnings?(config: Config): Promise<Beginnings> | undefined
  /** Opens the worlds beside the base, for one feature of a service. */
  worlds?(host: WorldsHost): Worlds
  /** Called once for the data of each world, before requests reach it. */
  serves?(engine: Engine, feed: Feed): void
  /** Called when a config, or changed data, has been loaded. */
  loaded?(now: Generation, data: LoadedData): Promise<void> | void
  /** Called when the data has the rules of that config. */
  settled?(now: Generation, data: LoadedData): Promise<void> | void
  /** Ends requests that would stay open. Called before the others are waited for. */
  close?(): void
}

export interface LoadedData {
  /** The JSON file that the data comes from. */
  readonly file: string | undefined
  /** Whether an earlier config served the same data, and with which schemas. */
  readonly isSame: boolean
  readonly oldSchemas?: OpenedSchemas | undefined
}

/** A feature under one config. */
export interface Active {
  /** In front of everything that responds. */
  readonly beforeAll?: readonly RequestHandler[]
  /** In front of the layers that refuse requests. */
  readonly beforeGuards?: readonly RequestHandler[]
  /** Where URLs are rewritten: behind guards, which see the URL that the client sent, and in front of middleware files. */
  readonly rewriting?: readonly RequestHandler[]
  /** Behind all guards, with the rewritten URL. */
  readonly behindGuards?: readonly RequestHandler[]
  /** Right in front of endpoints and data. */
  readonly beforeData?: readonly RequestHandler[]
  /** In front of the data alone: behind all endpoints, and handlers of the logic file. */
  readonly beforeRows?: readonly RequestHandler[]
  /** Files that rows name. */
  readonly attachments?: Attachments
  /** Its endpoints. */
  readonly serve?: (served: Served) => RequestHandler
  /** Told of each response that is sent again, in front of all handlers. */
  readonly replayed?: (req: Request, sent: Sent) => void
  /** Whether a response may be sent again to an equal request. Absent if always. */
  readonly isQuiet?: () => boolean
}

/** A service under one config. */
export interface Generation {
  readonly config: Config
  /** Where the settings come from, if that is a file. */
  readonly configFile: string | undefined
  readonly engine: Engine
  readonly base: ServedWorld
  /** True if examples are served, and nothing is stored. */
  readonly isFake: boolean
  readonly images: Images | undefined
  /** The data files that changes are saved to, absolute. */
  readonly savedIn: readonly string[] | undefined
  /** The database that they are saved to. */
  readonly connections: Connections | undefined
  readonly schemas: OpenedSchemas
  readonly logic: ParsedLogic | undefined
  readonly rewrites: RewriteRules
  readonly rewrite: RewriteUrl
  /** Absent where every client may do everything. */
  readonly accessOf: ((req: Request) => Access) | undefined
  readonly causeOf: CauseOf
  /** Hashes the passwords that a request writes. Absent where there are no users. */
  readonly sealOf: PasswordHasherOf | undefined
  readonly worlds: Worlds
  readonly beginnings: Beginnings | undefined
  /** All that there are, whether they are on or not. */
  readonly features: readonly Feature[]
  readonly uptime: () => number
  /** Why the changed source could not be loaded; undefined if it could. */
  readonly dataFault: () => string | undefined
  readonly now: () => number
  readonly log: (line: string) => void
}

/** The base of endpoints: a world, for clients with the same rights. */
export interface Served extends Generation {
  readonly world: ServedWorld
  readonly readable: EngineAccess
  readonly has: (name: string) => boolean
  /** Refuses pages of other sites. */
  readonly guard: RequestHandler
}

/** A feature of a generation. */
export interface MountedFeature {
  readonly feature: Feature
  readonly isOn: boolean
  readonly active: Active
}

export function endpointsIn(features: readonly Feature[]): readonly Endpoint[] {
  return features.flatMap(({ endpoints = [] }) => Object.values(endpoints))
}

/** The features that are on. */
export function featuresOn(features: readonly Feature[], config: Config): readonly Feature[] {
  return features.filter(({ isOn }) => isOn?.(config) ?? true)
}

/** Data that a feature serves in place of the source. */
export function examplesIn(features: readonly Feature[], config: Config): object | undefined {
  return featuresOn(features, config)
    .find(({ data }) => data)
    ?.data?.(config)
}

/** For the OpenAPI document: the endpoints, and what else operations have. */
export function documented(features: readonly Feature[], config: Config) {
  const isDescribed = ({ isOn, isDescribed = isOn }: Feature) => isDescribed?.(config) ?? true
  const active = featuresOn(features, config)
  return {
    endpoints: endpointsIn(features.filter(isDescribed)),
    addedErrors: features.filter(isDescribed).flatMap(({ errors = [] }) => errors),
    addedBodies: active.flatMap(({ bodies = [] }) => bodies),
    addedParameters: active.flatMap(({ parameters = [] }) => parameters),
    addedHeaders: active.flatMap(({ headers }) => headers?.(config) ?? []).map(([name]) => name),
  }
}

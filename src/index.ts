import { defaults } from './app/defaults.ts'
import { create } from './app/server/app.ts'
import { start } from './app/start.ts'
import { router } from './features/describe/described-router.ts'
import { bodyParser } from './layers/body-parser.ts'
import { rewriter } from './layers/rewriter.ts'

export type { Config } from './app/config/config.ts'
export { defineConfig } from './app/config/config-file.ts'
export type { ConfigSettings, Settings } from './app/config/config-schema.ts'
export type { ConfigFile, OpenOptions, StartOptions } from './app/config/start-options.ts'
export {
  type ClientSession,
  type ConnectOptions,
  connect,
  type RemoteServer,
  type RemoteSession,
} from './app/connect.ts'
export type {
  ClockControls,
  Controls,
  FaultControls,
  HistoryEntry,
  ServerControls,
} from './app/controls.ts'
export { type DefaultsOptions, defaults } from './app/defaults.ts'
export { type OpenedServer, open } from './app/open.ts'
export { type App, create } from './app/server/app.ts'
export type { FetchOptions } from './app/server/fetch-from.ts'
export type { MountedHandler } from './app/server/mounted-handler.ts'
export {
  type ExportOptions,
  exportData,
  type ImportOptions,
  importData,
  type TransferOptions,
  type TransferProgress,
  type Transferred,
} from './app/source/transfer.ts'
export { type RunningServer, start } from './app/start.ts'
export {
  ConfigError,
  ListenError,
  type Refusal,
  ResponseError,
  refuse,
  StorageError,
} from './catalogue/error-classes.ts'
export type { ErrorBody, StorageErrorCode } from './catalogue/errors.ts'
export type {
  FaultDecision,
  FaultRule,
  FaultRuleInfo,
  FaultSettings,
  FaultsInfo,
} from './catalogue/faults-info.ts'
export {
  type ApiDescription,
  describeApi,
  type Follower,
  followApi,
} from './features/describe/describe-api.ts'
export { router } from './features/describe/described-router.ts'
export { type GrowDataOptions, growData } from './features/grow/grow-data.ts'
export { type ApiKeyOptions, apiKey, type Permission } from './layers/api-key.ts'
export { type BearerOptions, bearer } from './layers/bearer.ts'
export { bodyParser } from './layers/body-parser.ts'
export { type CorsOptions, cors } from './layers/cors.ts'
export { type DelayOptions, delay } from './layers/delay.ts'
export { type JwtOptions, type JwtUser, jwt } from './layers/jwt.ts'
export { type LoggerOptions, logger } from './layers/logger.ts'
export { type RateLimitOptions, rateLimit } from './layers/rate-limit.ts'
export { type RewriteRules, rewriter } from './layers/rewriter.ts'
export type {
  AnyApi,
  ApiTypes,
  Collection,
  Db,
  Handler,
  HandlerContext,
  Logic,
  ResourceLogic,
  ResourceTypes,
  Scheduling,
  SingleObject,
  Tools,
} from './logic/define.ts'
export { define } from './logic/define.ts'
export type { ResourceSettings, ResourcesSettings } from './resources/resource-settings.ts'
export type { Chain, ChainDb } from './router/chain-db.ts'
export type { RestRouter, RouterOptions } from './router/router.ts'
export type { Render } from './router/show.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export type { OpenApiDocument } from './schema/openapi/openapi-document.ts'
export type { Data, Row } from './storage/types.ts'
export type { Clock, ClockFace, ClockSetting } from './util/clock.ts'
export { ClockError } from './util/clock.ts'

/** The exports of json-server's module. */
export default { create, defaults, router, rewriter, bodyParser, start }

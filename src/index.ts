import { bodyParser } from './core/layers/body-parser.ts'
import { rewriter } from './core/layers/rewriter.ts'
import { router } from './serve/bare-router.ts'
import { defaults } from './serve/defaults.ts'
import { create } from './serve/server/app.ts'
import { start } from './serve/start.ts'

export type { Chain, ChainDb } from './compat/chain-db.ts'
export type { ResourceSettings, ResourcesSettings } from './config/resources/resource-settings.ts'
export type { Data, Row } from './core/engine/types.ts'
export {
  ConfigError,
  ListenError,
  type Refusal,
  ResponseError,
  refuse,
  StorageError,
} from './core/kernel/catalogue/error-classes.ts'
export type { ErrorBody, StorageErrorCode } from './core/kernel/catalogue/errors.ts'
export type { Exchange, ExchangeBody, IgnoredPart } from './core/kernel/catalogue/exchange.ts'
export type {
  FaultDecision,
  FaultRule,
  FaultRuleInfo,
  FaultSettings,
  FaultsInfo,
} from './core/kernel/catalogue/faults-info.ts'
export type { RewriteRules } from './core/kernel/http/request-url.ts'
export type { Clock, ClockFace, ClockSetting } from './core/kernel/util/clock.ts'
export { ClockError } from './core/kernel/util/clock.ts'
export { type ApiKeyOptions, apiKey, type Permission } from './core/layers/api-key.ts'
export { type BearerOptions, bearer } from './core/layers/bearer.ts'
export { bodyParser } from './core/layers/body-parser.ts'
export { type CorsOptions, cors } from './core/layers/cors.ts'
export { type DelayOptions, delay } from './core/layers/delay.ts'
export { type JwtOptions, type JwtUser, jwt } from './core/layers/jwt.ts'
export { type LoggerOptions, logger } from './core/layers/logger.ts'
export { type RateLimitOptions, rateLimit } from './core/layers/rate-limit.ts'
export { rewriter } from './core/layers/rewriter.ts'
export type { Render } from './core/router/show.ts'
export {
  type ApiDescription,
  describeApi,
  type Follower,
  followApi,
} from './features/describe/describe-api.ts'
export type { OpenApiDocument } from './features/describe/openapi/openapi-document.ts'
export { type GrowDataOptions, growData } from './features/grow/grow-data.ts'
export type { DescribeDataOptions, DescribedData } from './features/import/describe-data.ts'
export { importDescription, openDescription } from './features/import/import-description.ts'
export type { ImportedResource, ImportReport, Unused } from './features/import/report.ts'
export type { ImportDescriptionOptions, ImportedDescription } from './features/import/write-import.ts'
export type { Config, ConfigSettings, Settings } from './features/settings.ts'
export { defineConfig } from './features/settings.ts'
export type { ConfigFile, OpenOptions, StartOptions } from './features/start-options.ts'
export { router } from './serve/bare-router.ts'
export {
  type ClientSession,
  type ConnectOptions,
  connect,
  type RemoteServer,
  type RemoteSession,
  type SessionOptions,
} from './serve/connect.ts'
export type {
  ClockControls,
  Controls,
  FaultControls,
  HistoryEntry,
  RequestsOptions,
  ServerControls,
} from './serve/controls.ts'
export { type DefaultsOptions, defaults } from './serve/defaults.ts'
export { open } from './serve/open.ts'
export type { OpenedServer } from './serve/opened-server.ts'
export { type App, create } from './serve/server/app.ts'
export type { FetchOptions } from './serve/server/fetch-from.ts'
export type { MountedHandler } from './serve/server/mounted-handler.ts'
export { type RunningServer, start } from './serve/start.ts'
export type { RestRouter, RouterOptions } from './source/open-router.ts'
export {
  type ExportOptions,
  exportData,
  type ImportOptions,
  importData,
  type TransferOptions,
  type TransferProgress,
  type Transferred,
} from './source/transfer.ts'
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
} from './wings/logic/define.ts'
export { define } from './wings/logic/define.ts'
export type { JsonSchema } from './wings/schemas/json-schema.ts'

/** The exports of json-server's module. */
export default { create, defaults, router, rewriter, bodyParser, start }

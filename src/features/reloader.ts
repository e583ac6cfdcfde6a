import type { Renewal } from '../source/load-parts.ts'
import type { ParsedLogic } from '../wings/logic/parse-logic.ts'
import type { Config, ConfigSettings } from './settings.ts'
import type { ConfigFile } from './start-options.ts'

/** Loads changed files while a service runs. */
export interface Reloader {
  /** Called before the service reads its files. */
  prepare(): Promise<void>
  start(service: ReloadedService): void
  close(): void
}

export interface ReloadedService {
  readonly now: { readonly config: Config; readonly logic: ParsedLogic | undefined }
  /** False if the data is the same. */
  reloadData(): Promise<boolean>
  /** Serves another config, or the same with files reloaded. Requests in flight finish with what they started with. */
  renew(config: Config, renewal: Renewal): Promise<void>
}

export interface ReloaderOptions {
  /** Whether the data was passed in: then there is no data file. */
  readonly hasData: boolean
  readonly configFile?: ConfigFile | undefined
  readonly settings: ConfigSettings
  readonly resolve: (settings: ConfigSettings) => Config
  readonly log: (line: string) => void
}

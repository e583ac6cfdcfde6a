import type * as z from 'zod/mini'
import {
  type BaseConfig,
  checkSettings,
  completeConfig,
  dataIn,
  type InEffect,
  merged,
} from '../config/config.ts'
import { settingsIn } from '../config/config-file.ts'
import {
  type AddedSettings,
  type AsSet,
  type BaseFileSettings,
  type CompleteSettings,
  withFeatures,
} from '../config/config-schema.ts'
import { type SettingFlag, settingFlags } from '../config/setting-flags.ts'
import { faultsSettings } from './faults/settings.ts'
import { hostedSettings } from './hosted/settings.ts'
import { proxySettings } from './proxy/settings.ts'
import { checkScenarios } from './scenarios/check-scenarios.ts'
import { scenariosSettings } from './scenarios/settings.ts'
import { sessionsSettings } from './sessions/settings.ts'
import { uploadsSettings } from './uploads/settings.ts'

/** The settings of features, by their part of docs/configuration.md. Handlers are in the other list: this one is read first. */
const FEATURE_SETTINGS = {
  data: {
    ...sessionsSettings,
    ...scenariosSettings,
    ...uploadsSettings,
    ...hostedSettings,
    ...proxySettings,
  },
  requests: {
    ...faultsSettings,
  },
} satisfies AddedSettings

/** Checks of features on the whole config, which may change it. */
const CHECKS: Readonly<Record<string, <C extends BaseConfig>(config: C) => C>> = {
  scenarios: checkScenarios,
}

type Added = z.ZodMiniObject<typeof FEATURE_SETTINGS.data & typeof FEATURE_SETTINGS.requests>

/** Settings as a config file may have them. */
export type ConfigSettings = BaseFileSettings & z.input<Added>

/** Checked settings as they were set, without defaults. */
export type Settings = AsSet<CompleteSettings & z.output<Added>>

/** The settings in effect: checked, complete, frozen. */
export interface Config extends BaseConfig, InEffect<z.output<Added>> {}

export const SETTINGS = withFeatures(FEATURE_SETTINGS)

export const SETTING_FLAGS: readonly SettingFlag[] = settingFlags(SETTINGS)

/** Checks settings and fills in the defaults. Throws a one-line ConfigError: key, remedy. */
export function resolveConfig(raw: unknown): Config {
  const config = completeConfig(SETTINGS, raw) as Config
  return Object.values(CHECKS).reduce((checked, check) => check(checked), config)
}

/** Checks settings in either spelling and returns them in camelCase, without defaults. */
export function parseSettings(raw: unknown): Settings {
  return checkSettings(SETTINGS, raw)
}

/** The checked settings of a file. Paths are relative to the working directory as in json-server, schemas' to the file. */
export function readConfigFile(file: string): Promise<Settings> {
  return settingsIn(file, SETTINGS)
}

export function mergeSettings(base: Settings, over: Settings): Settings {
  return merged(SETTINGS, base, over)
}

/** In words, the data that a setting serves in place of the source. */
export function examplesOf(settings: object): string | undefined {
  return dataIn(SETTINGS, settings)
}

/**
 * Types the settings of a `restable.config.ts`, `.js` or `.mjs`.
 * @example export default defineConfig({ source: 'db.json', middlewares: ['cors'] })
 */
export function defineConfig(settings: ConfigSettings): ConfigSettings {
  return settings
}

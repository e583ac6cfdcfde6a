import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Settings } from './config-schema.ts'
import { configName } from './package-file.ts'

/** The file that settings come from, and which settings do not. */
export interface SettingsFile {
  readonly path: string
  /** Settings that came from elsewhere, such as flags. */
  readonly decidedElsewhere?: readonly string[]
}

/** Prefixes the error with the config file's name if it is about a setting in that file. */
export function blameFile(error: unknown, file: SettingsFile, settings: Settings): unknown {
  const name = configName(file.path)
  if (!(error instanceof ConfigError) || error.message.startsWith(`${name}: `)) return error
  const [, key = '', option] = /^"?(\w+)(?:\.(\w+))?/.exec(error.message) ?? []
  const value: unknown = Object.hasOwn(settings, key) ? Reflect.get(settings, key) : undefined
  // `routes.json` is a file name; it only looks like an option of `routes`.
  const isSetting = option === undefined ? value !== undefined : typeof value === 'object'
  if (!isSetting || file.decidedElsewhere?.includes(key)) return error
  return new ConfigError(`${name}: ${error.message}`, { cause: error })
}

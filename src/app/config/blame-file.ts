import { ConfigError } from '../../errors.ts'
import type { Settings } from './config-schema.ts'
import { configName } from './package-file.ts'

/** A file that settings come from, and what does not come from it. */
export interface SettingsFile {
  readonly path: string
  /** Settings that something else decided, such as flags. */
  readonly decidedElsewhere?: readonly string[]
}

/** The error, with the config file before its message where it is about a setting of that file. */
export function blameFile(error: unknown, file: SettingsFile, settings: Settings): unknown {
  const name = configName(file.path)
  if (!(error instanceof ConfigError) || error.message.startsWith(`${name}: `)) return error
  const [, key = '', option] = /^"?(\w+)(?:\.(\w+))?/.exec(error.message) ?? []
  const value: unknown = Object.hasOwn(settings, key) ? Reflect.get(settings, key) : undefined
  // `routes.json` is a file, and only looks like an option of `routes`.
  const isSetting = option === undefined ? value !== undefined : typeof value === 'object'
  if (!isSetting || file.decidedElsewhere?.includes(key)) return error
  return new ConfigError(`${name}: ${error.message}`, { cause: error })
}

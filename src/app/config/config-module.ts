import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { isObject } from '../../json/values.ts'
import { loadModule, nextVersion } from '../source/load-module.ts'
import { parseSettings } from './config.ts'
import { type ConfigSettings, type Settings, settingsSchema } from './config-schema.ts'

/**
 * Types the settings of a `restable.config.ts`, `.js` or `.mjs`.
 * @example export default defineConfig({ source: 'db.json', middlewares: ['cors'] })
 */
export function defineConfig(settings: ConfigSettings): ConfigSettings {
  return settings
}

export function isConfigModule(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file)
}

/** Files that were loaded before: Node caches modules, so these need another version. */
const loaded = new Set<string>()

/** The checked settings that a module exports. */
export async function readConfigModule(file: string): Promise<Settings> {
  const path = resolve(file)
  if (!(await stat(path).catch(() => undefined))?.isFile()) {
    throw new ConfigError(`${file}: there is no such file. Check the path, or leave it out.`)
  }
  const version = loaded.has(path) ? nextVersion() : 0
  loaded.add(path)
  const settings = await loadModule(path, file, version)
  const isByName =
    isObject(settings) &&
    Object.entries(settings).every(([name, one]) => isObject(one) && !(name in settingsSchema.shape))
  if (typeof settings === 'function' || isByName) {
    throw new ConfigError(`${file}: it exports no settings. Write: export default { source: 'db.json' }`)
  }
  try {
    return parseSettings(settings)
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    const line = lineOfSetting(await readFile(path, 'utf8'), cause.message)
    throw new ConfigError(`${file}${line}: ${cause.message}`, { cause })
  }
}

/** Where the setting that a message names, such as "rateLimit.limit", is written. It may come from elsewhere. */
function lineOfSetting(text: string, message: string): string {
  const keys = /"([\w.-]+)"/.exec(message)?.[1]?.split('.') ?? []
  let at = 0
  for (const key of keys) {
    const found = text.slice(at).search(new RegExp(`(?<![\\w$-])${key}['"]?\\s*[:,}(]`))
    if (found < 0) return ''
    at += found
  }
  return keys.length === 0 ? '' : `, line ${text.slice(0, at).split('\n').length}`
}

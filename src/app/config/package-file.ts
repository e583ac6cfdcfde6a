import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ConfigError } from '../../errors.ts'

export const PACKAGE_FILE = 'package.json'

/** The key of package.json that settings stand under. */
const KEY = 'restable'

export function isPackageFile(file: string): boolean {
  return basename(file) === PACKAGE_FILE
}

/** What messages call the place that settings come from. */
export function configName(file: string): string {
  return isPackageFile(file) ? `${file}, ${KEY}` : file
}

/** The settings that a package.json holds; undefined where it has none, as most do. */
export function packageSettings(content: unknown): unknown {
  const isObject = typeof content === 'object' && content !== null
  return isObject && Object.hasOwn(content, KEY) ? Reflect.get(content, KEY) : undefined
}

/** The same for who counts on them. */
export function requirePackageSettings(content: unknown, file: string): unknown {
  const settings = packageSettings(content)
  if (settings !== undefined) return settings
  throw new ConfigError(
    `${file}: there is no "${KEY}" in it. Put the settings there, such as "${KEY}": { "port": 3001 }, or name another file.`,
  )
}

/** Whether `npm run <name>` works in the working directory. */
export function hasScript(name: string): boolean {
  try {
    const { scripts }: { scripts?: object } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'))
    return scripts !== undefined && Object.hasOwn(scripts, name)
  } catch {
    return false
  }
}

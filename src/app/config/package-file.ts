import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ConfigError } from '../../catalogue/error-classes.ts'

export const PACKAGE_FILE = 'package.json'

const KEY = 'restable'

export function isPackageFile(file: string): boolean {
  return basename(file) === PACKAGE_FILE
}

/** What messages call the source of the settings. */
export function configName(file: string): string {
  return isPackageFile(file) ? `${file}, ${KEY}` : file
}

/** The settings in a package.json; undefined if there are none, as in most. */
export function packageSettings(content: unknown): unknown {
  const isObject = typeof content === 'object' && content !== null
  return isObject && Object.hasOwn(content, KEY) ? Reflect.get(content, KEY) : undefined
}

/** Like `packageSettings`, but throws if there are none. */
export function requirePackageSettings(content: unknown, file: string): unknown {
  const settings = packageSettings(content)
  if (settings !== undefined) return settings
  throw new ConfigError(
    `${file}: it has no "${KEY}" key. Add one, such as "${KEY}": { "port": 3001 }, or name another file.`,
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

import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { kindOf } from '../stores/file/regular-file.ts'
import { parseJsonFile } from '../stores/formats/load.ts'
import { checkSettings } from './config.ts'
import type { AllSettings, BaseSettings } from './config-schema.ts'
import { loadModule, nextVersion } from './load-module.ts'
import { settingFlags } from './setting-flags.ts'

const JSON_SERVER_FILE = 'json-server.json'

/** The names looked up in the working directory, in this order, before `restable` in package.json. */
const CONFIG_FILES = [
  ...['ts', 'js', 'mjs', 'json'].map((extension) => `restable.config.${extension}`),
  'json-server.config.json',
  JSON_SERVER_FILE,
]

const PACKAGE_FILE = 'package.json'
const PACKAGE_KEY = 'restable'

/** Every config file in a folder. Only the first is used. */
export async function findConfigs(folder = '.'): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of [...CONFIG_FILES, PACKAGE_FILE]) {
    const file = folder === '.' ? name : resolve(folder, name)
    const isFile = (await stat(file).catch(() => undefined))?.isFile() ?? false
    if (isFile && (!isPackageFile(file) || (await hasSettings(file)))) found.push(file)
  }
  return found
}

/** An unreadable package.json is ignored: most projects keep no settings in it. */
async function hasSettings(file: string): Promise<boolean> {
  return packageSettings(await readJsonFile(file).catch(() => undefined)) !== undefined
}

/** The checked settings of a file. Paths are relative to the working directory as in json-server, schemas' to the file. */
export async function settingsIn(file: string, all: AllSettings): Promise<BaseSettings> {
  const isModule = isConfigModule(file)
  const raw = await (isModule ? readConfigModule(file, all) : readConfigJson(file, all))
  try {
    return withSchemasBeside(file, checkSettings(all, raw))
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    const line = isModule ? lineOfSetting(await readFile(file, 'utf8'), cause.message) : ''
    throw new ConfigError(`${configName(file)}${line}: ${cause.message}`, { cause })
  }
}

async function readConfigJson(file: string, all: AllSettings): Promise<unknown> {
  const raw = await readJsonFile(file, ', or export it from a .ts or .js file')
  const settings = isPackageFile(file) ? packageSettings(raw) : fromJsonServer(file, raw, all)
  if (settings !== undefined) return settings
  throw new ConfigError(
    `${file}: it has no "${PACKAGE_KEY}" key. Add one, such as "${PACKAGE_KEY}": { "port": 3001 }, or name another file.`,
  )
}

export function isConfigModule(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file)
}

/** Files that were loaded before: Node caches modules, so these need another version. */
const loaded = new Set<string>()

/** The settings that a module exports. */
async function readConfigModule(file: string, { schema }: AllSettings): Promise<unknown> {
  const path = resolve(file)
  if (!(await stat(path).catch(() => undefined))?.isFile()) {
    throw new ConfigError(`${file}: ${MISSING}`)
  }
  const version = loaded.has(path) ? nextVersion() : 0
  loaded.add(path)
  const settings = await loadModule(path, file, version)
  const isByName =
    isObject(settings) &&
    Object.entries(settings).every(([name, one]) => isObject(one) && !(name in schema.shape))
  if (typeof settings === 'function' || isByName) {
    throw new ConfigError(`${file}: it exports no settings. Write: export default { source: 'db.json' }`)
  }
  return settings
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

function withSchemasBeside(file: string, settings: BaseSettings): BaseSettings {
  if (!settings.resources) return settings
  const beside = (schema: string) => (isAbsolute(schema) ? schema : join(dirname(file), schema))
  const resources = Object.entries(settings.resources).map(([name, each]) => [
    name,
    typeof each.schema === 'string' ? { ...each, schema: beside(each.schema) } : each,
  ])
  return { ...settings, resources: Object.fromEntries(resources) }
}

/**
 * The contents of a JSON file. Throws a one-line ConfigError if it is missing, unreadable or not JSON.
 * @param otherwise what else can be written, for its message
 */
export async function readJsonFile(file: string, otherwise = ''): Promise<unknown> {
  const bytes = await readBytes(file).catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file}: ${whyUnreadable(cause)}`, { cause })
  })
  try {
    return parseJsonFile(bytes, file)
  } catch (cause) {
    if (!OTHER_FORMATS.test(file)) throw cause
    throw new ConfigError(
      `${file}: ${extname(file)} is not supported. Write the same to a .json file${otherwise}.`,
      { cause },
    )
  }
}

const OTHER_FORMATS = /\.(?:[cm]?[jt]sx?|ya?ml|toml|ini|json5)$/i

/** Reads files and the shell's anonymous pipes (`<(…)`). Opening a named pipe could block forever. */
async function readBytes(file: string): Promise<Buffer> {
  const found = await stat(file)
  if (found.isFile() || found.isDirectory() || /^\/(dev|proc)\//.test(file)) return await readFile(file)
  throw new Error(`it is ${kindOf(found)}`)
}

const MISSING = 'there is no such file. Check the path, or leave it out.'

function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return MISSING
  if (code === 'EISDIR') return 'this is a folder. Name a JSON file.'
  if (code === 'EACCES') return 'the file is not readable. Check its permissions.'
  return `the file cannot be read (${code ?? message}).`
}

/** json-server read its file like flags: short names and quoted numbers worked. A file of that name still may. */
function fromJsonServer(file: string, raw: unknown, all: AllSettings): unknown {
  if (basename(file) !== JSON_SERVER_FILE || !isObject(raw)) return raw
  const flags = settingFlags(all)
  const entries = Object.entries(raw).map(([key, value]) => {
    const flag = flags.find(({ path, alias }) => alias === key || path.join('.') === key)
    const isNumber = flag?.max !== undefined && typeof value === 'string' && /^\d+$/.test(value)
    return [flag?.path[0] ?? key, isNumber ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

export function isPackageFile(file: string): boolean {
  return basename(file) === PACKAGE_FILE
}

export function configName(file: string): string {
  return isPackageFile(file) ? `${file}, ${PACKAGE_KEY}` : file
}

function packageSettings(content: unknown): unknown {
  return isObject(content) && Object.hasOwn(content, PACKAGE_KEY) ? content[PACKAGE_KEY] : undefined
}

export interface SettingsFile {
  readonly path: string
  readonly decidedElsewhere?: readonly string[]
}

/** Prefixes the error with the config file's name if it is about a setting in that file. */
export function blameFile(error: unknown, file: SettingsFile, settings: object): unknown {
  const name = configName(file.path)
  if (!(error instanceof ConfigError) || error.message.startsWith(`${name}: `)) return error
  const [, key = '', option] = /^"?(\w+)(?:\.(\w+))?/.exec(error.message) ?? []
  const value: unknown = Object.hasOwn(settings, key) ? Reflect.get(settings, key) : undefined
  // `routes.json` is a file name; it only looks like an option of `routes`.
  const isSetting = option === undefined ? value !== undefined : typeof value === 'object'
  if (!isSetting || file.decidedElsewhere?.includes(key)) return error
  return new ConfigError(`${name}: ${error.message}`, { cause: error })
}

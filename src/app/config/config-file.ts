import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { kindOf } from '../../storage/file/regular-file.ts'
import { describeFault } from '../../storage/json/load.ts'
import { parseSettings } from './config.ts'
import type { Settings } from './config-schema.ts'
import {
  configName,
  isPackageFile,
  PACKAGE_FILE,
  packageSettings,
  requirePackageSettings,
} from './package-file.ts'
import { SETTING_FLAGS } from './setting-flags.ts'

/** The config file of json-server 0.17.4. */
const JSON_SERVER_FILE = 'json-server.json'

/** The names looked up in the working directory, in this order, before `restable` in package.json. */
const CONFIG_FILES = ['restable.config.json', 'json-server.config.json', JSON_SERVER_FILE] as const

/** The config file of a folder: the first one found. */
export async function findConfig(folder = '.'): Promise<string | undefined> {
  return (await findConfigs(folder))[0]
}

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
  const content = await readJsonFile(file).catch(() => undefined)
  return packageSettings(content) !== undefined
}

/** The checked settings of a file. Paths are relative to the working directory as in json-server, schemas' to the file. */
export async function readConfigFile(file: string): Promise<Settings> {
  const raw = await readJsonFile(file)
  const settings = isPackageFile(file) ? requirePackageSettings(raw, file) : fromJsonServer(file, raw)
  return withSchemasBeside(file, parseSettings(settings, configName(file)))
}

function withSchemasBeside(file: string, settings: Settings): Settings {
  if (!settings.resources) return settings
  const beside = (schema: string) => (isAbsolute(schema) ? schema : join(dirname(file), schema))
  const resources = Object.entries(settings.resources).map(([name, each]) => [
    name,
    typeof each.schema === 'string' ? { ...each, schema: beside(each.schema) } : each,
  ])
  return { ...settings, resources: Object.fromEntries(resources) }
}

/** The contents of a JSON file. Throws a one-line ConfigError if it is missing, unreadable or not JSON. */
export async function readJsonFile(file: string): Promise<unknown> {
  const bytes = await readBytes(file).catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file}: ${whyUnreadable(cause)}`, { cause })
  })
  if (!isUtf8(bytes)) throw new ConfigError(`${file}: this is not UTF-8 text. Save it as UTF-8.`)
  const text = bytes.toString()
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return JSON.parse(json)
  } catch (cause) {
    if (OTHER_FORMATS.test(file))
      throw new ConfigError(
        `${file}: this has to be JSON, and ${extname(file)} is not supported. Write the same to a .json file.`,
        { cause },
      )
    if (json.trim() === '')
      throw new ConfigError(`${file}: the file is empty. Put at least {} in it.`, { cause })
    throw new ConfigError(`${file}: ${describeFault(json)}`, { cause })
  }
}

/** What other tools read settings from. */
const OTHER_FORMATS = /\.(?:[cm]?[jt]sx?|ya?ml|toml|ini|json5)$/i

/** Reads files and the shell's anonymous pipes (`<(…)`). Opening a named pipe could block forever. */
async function readBytes(file: string): Promise<Buffer> {
  const found = await stat(file)
  if (found.isFile() || found.isDirectory() || /^\/(dev|proc)\//.test(file)) return await readFile(file)
  throw new Error(`it is ${kindOf(found)}`)
}

function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file. Check the path, or leave it out.'
  if (code === 'EISDIR') return 'this is a folder. Name a JSON file.'
  if (code === 'EACCES') return 'the file is not readable. Check its permissions.'
  return `the file cannot be read (${code ?? message}).`
}

/** json-server read its file like flags: short names and quoted numbers worked. A file of that name still may. */
function fromJsonServer(file: string, raw: unknown): unknown {
  if (basename(file) !== JSON_SERVER_FILE) return raw
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  const entries = Object.entries(raw).map(([key, value]: [string, unknown]) => {
    const flag = SETTING_FLAGS.find(({ path, alias }) => alias === key || path.join('.') === key)
    const isNumber = flag?.max !== undefined && typeof value === 'string' && /^\d+$/.test(value)
    return [flag?.path[0] ?? key, isNumber ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

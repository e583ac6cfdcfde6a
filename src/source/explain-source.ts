import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { nearest } from '../config/spelling.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../core/kernel/util/attempt.ts'
import { DATA_ENDINGS } from '../stores/formats/formats.ts'
import { maskAddress } from '../stores/postgres/address.ts'

const ENDINGS = [...DATA_ENDINGS, '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts']

export function explainSource(source: string, isOneOfSeveral = false): string {
  if (isAddress(source) || /^postgres(ql)?:/i.test(source)) {
    return 'source: a URL must start with http://, https:// or postgres://. Correct or add that.'
  }
  const stats = statSync(source, { throwIfNoEntry: false })
  if (stats?.isDirectory())
    return `source: "${source}" is a folder. Name a file in it, such as ${join(source, 'db.json')}.`
  if (isOneOfSeveral) {
    return `source: of several sources, each has to be a data file (${DATA_ENDINGS.join(' ')}), and "${shownSource(source)}" is none.`
  }
  const similar = similarFile(source)
  const isOtherFormat = stats !== undefined && extname(source) !== ''
  if (similar !== undefined && !isOtherFormat)
    return `source: "${source}" cannot be served. Did you mean ${similar}?`
  if (stats !== undefined && !isOtherFormat) {
    return `source: "${source}" has no extension. Add one: ${DATA_ENDINGS.join(' ')} for data, .js or .ts for a script that makes it.`
  }
  if (/[\\/]$/.test(source)) return `source: there is no folder "${source}". ${folderRemedy(source)}`
  if (/^[\w-]+$/.test(source)) {
    return `There is no command or file "${source}". Name what to serve, such as: restable db.json. See restable --help.`
  }
  const remedy = isOtherFormat
    ? `Convert it to one of these${similar !== undefined && existsSync(similar) ? `, or serve ${similar}` : ''}.`
    : 'Name one of these.'
  return `source: "${shownSource(source)}" is not a data file (${DATA_ENDINGS.join(' ')}), a folder, a script (.js .cjs .mjs .ts), or an http(s) or postgres URL. ${remedy}`
}

/** A source as messages may show it: an address, even a misspelled one, without its password. */
export function shownSource(source: string | readonly string[]): string {
  if (typeof source !== 'string') return source.map(shownSource).join(', ')
  const isFile = !isAddress(source) && ENDINGS.includes(extname(source))
  return isFile ? source : maskAddress(source)
}

/** `htp://…`, or a host and port without a scheme. */
export function isAddress(source: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(source) || /^[\w.-]+:\d{1,5}(\/|$)/.test(source)
}

export function noSuchFile(source: string): ConfigError {
  return new ConfigError(`source: there is no file "${source}". ${missingRemedy(source)}`)
}

export function missingRemedy(source: string): string {
  const similar = similarFile(source)
  return similar === undefined ? 'Check the path.' : `Did you mean ${similar}?`
}

function similarFile(source: string): string | undefined {
  const folder = dirname(source)
  const wanted = basename(source).trim()
  const names = filesIn(folder).filter((name) => ENDINGS.includes(extname(name)))
  const name = names.find((one) => stemOf(one) === stemOf(wanted)) ?? nearest(wanted, names)
  if (name !== undefined) return join(folder, name)
  const extension = extname(wanted)
  const isKnown = extension === '' || ENDINGS.includes(extension)
  const ending = isKnown ? undefined : nearest(extension, ENDINGS)
  return ending && join(folder, `${stemOf(wanted)}${ending}`)
}

function folderRemedy(source: string): string {
  const parent = dirname(source)
  const folders = filesIn(parent).filter((name) =>
    statSync(join(parent, name), { throwIfNoEntry: false })?.isDirectory(),
  )
  const near = nearest(basename(source), folders)
  return near === undefined ? 'Check the path.' : `Did you mean ${join(parent, near)}/?`
}

function filesIn(folder: string): readonly string[] {
  return attempt(() => readdirSync(folder)) ?? []
}

function stemOf(name: string): string {
  return basename(name, extname(name))
}

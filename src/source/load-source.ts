import { statSync } from 'node:fs'
import { lstat, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, parse, resolve } from 'node:path'
import type { Version } from '../config/load-module.ts'
import { idOf } from '../core/engine/id-of.ts'
import { foreignKey } from '../core/engine/relations/relations.ts'
import type { Data, Naming } from '../core/engine/types.ts'
import { ConfigError, StorageError } from '../core/kernel/catalogue/error-classes.ts'
import { DataFiles } from '../stores/file/data-files.ts'
import { DataFolder } from '../stores/file/data-folder.ts'
import { kindOf } from '../stores/file/regular-file.ts'
import { type CodecName, formatOf, isListFormat } from '../stores/formats/formats.ts'
import { computeData, fetchData } from './data-in-memory.ts'
import { explainSource, isAddress, noSuchFile } from './explain-source.ts'

/** The data to serve: a file, a folder, a URL, or several files. */
export type SourceSetting = string | readonly string[]

export type LoadedSource =
  | {
      readonly kind: 'files'
      readonly files: DataFiles
      /** How it was made, if it did not exist. */
      readonly created?: string
    }
  | {
      readonly kind: 'memory'
      readonly data: Data
      /** False if a program made it, which may go on changing it. */
      readonly isOurs: boolean
    }

export interface LoadSourceOptions {
  readonly naming?: Naming
  readonly seed?: string | undefined
  /** Whether data files are written to: a missing one is created. @default true */
  readonly persist?: boolean
  /** Files that are no data, though they may be in the folder. */
  readonly besides?: readonly string[]
  readonly version?: Version
  readonly patienceMs?: number
  /** Whether a data file that is missing begins empty. */
  readonly isEmpty?: boolean | undefined
}

/** Loads a source: data files, a JavaScript file that exports data or a function, or an http(s) URL. */
export async function loadSource(
  source: SourceSetting,
  options: LoadSourceOptions = {},
): Promise<LoadedSource> {
  const { version, patienceMs } = options
  if (typeof source !== 'string') return severalFiles(source, options)
  if (/^https?:/i.test(source)) {
    return { kind: 'memory', data: await fetchData(source, patienceMs), isOurs: true }
  }
  if (isFolder(source)) return { kind: 'files', files: dataFiles(source, options) }
  if (isDataFile(source)) return await dataFile(source, options)
  if (/\.[cm]?[jt]s$/i.test(source)) {
    return { kind: 'memory', data: await computeData(source, version, patienceMs), isOurs: false }
  }
  throw new ConfigError(explainSource(source))
}

export function isJsonFile(source: unknown): source is string {
  return typeof source === 'string' && /\.json$/i.test(source) && !/^https?:/i.test(source)
}

/** Whether changes are saved in files: one, several, or those of a folder. */
export function isInFiles(source: SourceSetting | undefined): source is SourceSetting {
  return source !== undefined && (typeof source !== 'string' || isDataFile(source) || isFolder(source))
}

export function isDataFile(source: string): boolean {
  return formatOf(source) !== undefined && !/^https?:/i.test(source)
}

/** Not one named like a file: Docker makes such a folder where a file to mount is missing. */
export function isFolder(source: string): boolean {
  return (
    !isAddress(source) &&
    formatOf(source) === undefined &&
    statSync(source, { throwIfNoEntry: false })?.isDirectory() === true
  )
}

export function dataFiles(source: SourceSetting, { persist, besides }: LoadSourceOptions = {}): DataFiles {
  const isOfFolder = typeof source === 'string' && isFolder(source)
  return new DataFiles(isOfFolder ? new DataFolder(source, besides) : source, persist)
}

async function severalFiles(sources: readonly string[], options: LoadSourceOptions): Promise<LoadedSource> {
  const besides = new Set(options.besides?.map((path) => resolve(path)))
  for (const source of sources) {
    if (!isDataFile(source)) throw new ConfigError(explainSource(source, true))
    // `restable *.json` names them all.
    if (besides.has(resolve(source)))
      throw new ConfigError(`source: "${source}" is for the settings, and may hold secrets. Leave it out.`)
    const stats = await stat(source).catch(() => undefined)
    if (!stats?.isFile()) throw noSuchFile(source)
  }
  return { kind: 'files', files: dataFiles(sources, options) }
}

async function dataFile(source: string, options: LoadSourceOptions): Promise<LoadedSource> {
  const { naming, seed, persist = true, besides, isEmpty } = options
  const path = resolve(source)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`source: "${source}" cannot be opened (${error.code}).`, { cause: error })
  })
  if (stats?.isDirectory() || isAddress(source)) throw new ConfigError(explainSource(source))
  if (stats && !stats.isFile()) throw new ConfigError(`source: "${source}" is ${kindOf(stats)}. Name a file.`)
  const exists = { kind: 'files', files: dataFiles(source, options) } as const
  if (stats !== undefined) return exists
  const data =
    seed === undefined ? (isEmpty ? {} : sampleFor(path, naming)) : await readSeed(seed, { besides, source })
  if (!persist) return { kind: 'memory', data, isOurs: true }
  // `wx`: never overwrite a file that was created meanwhile.
  const fault = await writeFile(path, await textOf(data, seed, source), { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  const how = Object.keys(data).length === 0 ? 'empty' : 'with sample data'
  if (fault === undefined) return { ...exists, created: seed === undefined ? how : `from ${seed}` }
  if (fault.code === 'EEXIST' && !(await isLink(path))) return exists
  throw new ConfigError(`source: "${source}" ${whyNotCreated(fault)} Check the path.`, { cause: fault })
}

interface SeedFor {
  readonly besides?: readonly string[] | undefined
  readonly source?: SourceSetting | undefined
}

export async function readSeed(seed: string, { besides = [], source }: SeedFor): Promise<Data> {
  const read = async () => heldBy(source, await dataOf(seed, besides), `"${seed}"`, 'Name a seed with')
  return read().catch(blame('seed'))
}

/** The data of a file that a setting names. */
export function readDataOf(setting: string, path: string): Promise<Data> {
  return dataOf(path, []).catch(blame(setting))
}

function blame(setting: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof StorageError || cause instanceof ConfigError)) throw cause
    throw new ConfigError(`${setting}: ${cause.message.replace(/^source: /, '')}`, { cause })
  }
}

async function dataOf(seed: string, besides: readonly string[]): Promise<Data> {
  // What is missing is not made here.
  if (isDataFile(seed) && !isJsonFile(seed) && !isAddress(seed) && !(await stat(seed).catch(() => undefined)))
    throw noSuchFile(seed)
  if (isJsonFile(seed)) return (await dataFiles(seed).load()).toData()
  const loaded = await loadSource(seed, { persist: false, besides, version: 'if edited' })
  if (loaded.kind === 'files') return (await loaded.files.load()).toData()
  return JSON.parse(JSON.stringify(loaded.data))
}

/** As the served file can hold it: one with a row per line has one collection, by its own name. */
export function heldBy(source: SourceSetting | undefined, data: Data, from: string, remedy: string): Data {
  const name = typeof source === 'string' ? onlyCollectionOf(source) : undefined
  if (name === undefined) return data
  const [only, ...others] = Object.keys(data)
  const held = Object.hasOwn(data, name) || only === undefined ? name : only
  if (held === name || others.length === 0) return { [name]: data[held] ?? [] }
  throw new ConfigError(
    `${from} has ${[only, ...others].join(', ')}, and "${source}" holds one collection. ${remedy} ${name}.`,
  )
}

function onlyCollectionOf(path: string): string | undefined {
  return isListFormat(formatOf(path) ?? 'json') ? parse(path).name : undefined
}

/** The same while the server runs: errors go to clients, without the path of the file. */
export async function readSeedAgain(seed: string, place: SeedFor): Promise<Data> {
  return readSeed(seed, place).catch((cause: unknown) => {
    if (!(cause instanceof ConfigError)) throw cause
    const reason = cause.message.replaceAll(seed, basename(seed))
    throw new StorageError('INVALID_DATA', `Nothing was changed. ${reason}`, { cause })
  })
}

/** The text of a new file: the bytes of the seed, if they mean the same there. */
async function textOf(data: Data, seed: string | undefined, source: string): Promise<string | Buffer> {
  const format = formatOf(source) ?? 'json'
  if (format === 'json') {
    const bytes = isJsonFile(seed) ? await readFile(seed) : undefined
    const isByName = /^[\s\uFEFF]*\{/.test(String(bytes?.subarray(0, 1000)))
    return bytes && isByName ? bytes : `${JSON.stringify(data, null, 2)}\n`
  }
  return inFormat(data, format, source, 'source')
}

/** The text of a file in a format other than JSON. @param setting for messages */
export async function inFormat(
  data: Data,
  format: CodecName,
  path: string,
  setting: string,
): Promise<string> {
  const { translate } = await import('../stores/formats/translate.ts')
  const name = onlyCollectionOf(path)
  const held = name === undefined ? data : (data[name] ?? [])
  const job = { format, text: '', json: JSON.stringify(held) }
  return (await translate(job, `${setting}: "${path}"`)).text ?? ''
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
}

function whyNotCreated({ code }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return 'is a link to a file that does not exist.'
  const why = code === 'ENOENT' ? 'its folder does not exist' : code
  return `does not exist and cannot be created (${why}).`
}

function sampleFor(path: string, naming: Naming | undefined): Data {
  return onlyCollectionOf(path) === undefined ? sampleData(naming) : {}
}

/** A small database to start with, as in every json-server tutorial, with the key names the server was started with. */
export function sampleData(naming: Naming = { id: 'id', foreignKeySuffix: 'Id' }): Data {
  const [id, own] = [idOf('posts', naming), idOf('comments', naming)]
  const post = foreignKey('posts', naming)
  return {
    posts: [
      { [id]: 1, title: 'Hello, REST', author: 'Ada' },
      { [id]: 2, title: 'A second post', author: 'Grace' },
    ],
    comments: [
      { [own]: 1, body: 'Good to see it running', [post]: 1 },
      { [own]: 2, body: 'Where do I add more?', [post]: 1 },
      { [own]: 3, body: 'In this very file', [post]: 2 },
    ],
    profile: { name: 'Ada' },
  }
}

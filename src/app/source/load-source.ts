import { statSync } from 'node:fs'
import { lstat, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ConfigError, StorageError } from '../../catalogue/error-classes.ts'
import { withFiniteNumbers } from '../../json/limits.ts'
import { DataFiles } from '../../storage/file/data-files.ts'
import { kindOf } from '../../storage/file/regular-file.ts'
import { formatOf } from '../../storage/formats/formats.ts'
import { checkData, parseData } from '../../storage/formats/load.ts'
import { foreignKey } from '../../storage/relations/relations.ts'
import type { Data, Naming } from '../../storage/types.ts'
import { explainSource, isAddress, missingRemedy } from './explain-source.ts'
import { lineOf, loadModule } from './load-module.ts'

/** What to serve: a file, a folder, a URL, or several files. */
export type Source = string | readonly string[]

export type LoadedSource =
  | {
      readonly kind: 'files'
      readonly files: DataFiles
      /** It was missing and now holds a sample. */
      readonly created: boolean
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
  readonly version?: number
  readonly patienceMs?: number
}

const FUNCTION_MS = 60_000
const FETCH_MS = 10_000

/** Loads a source: data files, a JavaScript file that exports data or a function, or an http(s) URL. */
export async function loadSource(source: Source, options: LoadSourceOptions = {}): Promise<LoadedSource> {
  const { patienceMs } = options
  if (typeof source !== 'string') return severalFiles(source, options)
  if (/^https?:/i.test(source)) {
    return { kind: 'memory', data: await fetchData(source, patienceMs ?? FETCH_MS), isOurs: true }
  }
  if (isFolder(source)) return { kind: 'files', files: dataFiles(source, options), created: false }
  if (isDataFile(source)) return await dataFile(source, options)
  if (/\.[cm]?[jt]s$/i.test(source)) {
    return { kind: 'memory', data: await computeData(source, options), isOurs: false }
  }
  throw new ConfigError(explainSource(source))
}

export function isJsonFile(source: unknown): source is string {
  return typeof source === 'string' && /\.json$/i.test(source) && !/^https?:/i.test(source)
}

/** Whether changes are saved in files: one, several, or those of a folder. */
export function isInFiles(source: Source | undefined): source is Source {
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

export function dataFiles(
  source: Source,
  { persist = true, besides = [] }: LoadSourceOptions = {},
): DataFiles {
  const excluded = new Set(besides.map((path) => resolve(path)))
  const isExcluded = (path: string) => excluded.has(path)
  const name = typeof source === 'string' && isFolder(source) ? `${source}/` : source
  return new DataFiles(name, { isSaved: persist, isExcluded })
}

async function severalFiles(sources: readonly string[], options: LoadSourceOptions): Promise<LoadedSource> {
  for (const source of sources) {
    if (!isDataFile(source)) throw new ConfigError(explainSource(source, true))
    const stats = await stat(source).catch(() => undefined)
    if (!stats?.isFile())
      throw new ConfigError(`source: there is no file "${source}". ${missingRemedy(source)}`)
  }
  return { kind: 'files', files: dataFiles(sources, options), created: false }
}

async function dataFile(source: string, options: LoadSourceOptions): Promise<LoadedSource> {
  const { naming, seed, persist = true } = options
  const path = resolve(source)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`source: "${source}" cannot be opened (${error.code}).`, { cause: error })
  })
  if (stats?.isDirectory() || isAddress(source)) throw new ConfigError(explainSource(source))
  if (stats && !stats.isFile()) throw new ConfigError(`source: "${source}" is ${kindOf(stats)}. Name a file.`)
  const exists = { kind: 'files', files: dataFiles(source, options), created: false } as const
  if (stats !== undefined) return exists
  const data = seed === undefined ? sampleData(naming) : await readSeed(seed)
  if (!persist) return { kind: 'memory', data, isOurs: true }
  // `wx`: never overwrite a file that was created meanwhile.
  const fault = await writeFile(path, await textOf(data, seed, path), { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  if (fault === undefined) return { ...exists, created: true }
  if (fault.code === 'EEXIST' && !(await isLink(path))) return exists
  throw new ConfigError(`source: "${source}" ${whyNotCreated(fault)} Check the path.`, { cause: fault })
}

export async function readSeed(seed: string): Promise<Data> {
  try {
    const loaded = isJsonFile(seed)
      ? ({ kind: 'files', files: dataFiles(seed) } as const)
      : await loadSource(seed, { persist: false })
    if (loaded.kind === 'files') return (await loaded.files.load()).toData()
    return JSON.parse(JSON.stringify(loaded.data))
  } catch (cause) {
    if (!(cause instanceof StorageError || cause instanceof ConfigError)) throw cause
    throw new ConfigError(`seed: ${cause.message.replace(/^source: /, '')}`, { cause })
  }
}

/** The same while the server runs: errors go to clients, without the path of the file. */
export async function readSeedAgain(seed: string): Promise<Data> {
  return readSeed(seed).catch((cause: unknown) => {
    if (!(cause instanceof ConfigError)) throw cause
    const reason = cause.message.replaceAll(seed, basename(seed))
    throw new StorageError('INVALID_DATA', `Nothing was changed. ${reason}`, { cause })
  })
}

/** What a new file holds. One with a row per line begins empty: it has the rows of one collection. */
async function textOf(data: Data, seed: string | undefined, path: string): Promise<string | Buffer> {
  const format = formatOf(path) ?? 'json'
  if (format === 'json') return isJsonFile(seed) ? readFile(seed) : `${JSON.stringify(data, null, 2)}\n`
  if (format === 'csv' || format === 'ndjson') return ''
  const { translate } = await import('../../storage/formats/translate.ts')
  return (await translate({ format, text: '', json: JSON.stringify(data) })).text ?? ''
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
}

function whyNotCreated({ code }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return 'is a link to a file that does not exist.'
  const why = code === 'ENOENT' ? 'its folder does not exist' : code
  return `does not exist and cannot be created (${why}).`
}

async function computeData(source: string, options: LoadSourceOptions): Promise<Data> {
  const file = resolve(source)
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile())
    throw new ConfigError(`source: there is no file "${source}". ${missingRemedy(source)}`)
  const exported = await loadModule(file, `source: "${source}"`, options.version)
  const value = isFunction(exported)
    ? await call(exported, source, options.patienceMs ?? FUNCTION_MS)
    : exported
  const data = checkData(value, source)
  // Non-finite numbers become null, as clients see them, so that filters and sorting agree.
  return withFiniteNumbers(data) ?? data
}

async function call(make: () => unknown, source: string, patienceMs: number): Promise<unknown> {
  const name = `source: the function that "${source}" exports`
  let timer: NodeJS.Timeout | undefined
  // With nothing else left to do, a promise that never resolves would silently end the process.
  const tooLate = new Promise<never>((_, reject) => {
    const late = new ConfigError(
      `${name} did not finish in ${patienceMs / 1000} s. Check that its promise resolves.`,
    )
    timer = setTimeout(() => reject(late), patienceMs)
  })
  try {
    return await Promise.race([make(), tooLate])
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new ConfigError(`${name} failed${lineOf(cause, resolve(source))}: ${why}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

/** A small database to start with, as in every json-server tutorial, with the key names the server was started with. */
export function sampleData(naming: Naming = { id: 'id', foreignKeySuffix: 'Id' }): Data {
  const { id } = naming
  const post = foreignKey('posts', naming)
  return {
    posts: [
      { [id]: 1, title: 'Hello, REST', author: 'Ada' },
      { [id]: 2, title: 'A second post', author: 'Grace' },
    ],
    comments: [
      { [id]: 1, body: 'Good to see it running', [post]: 1 },
      { [id]: 2, body: 'Where do I add more?', [post]: 1 },
      { [id]: 3, body: 'In this very file', [post]: 2 },
    ],
    profile: { name: 'Ada' },
  }
}

async function fetchData(address: string, patienceMs: number): Promise<Data> {
  if (!URL.canParse(address)) {
    throw new ConfigError('source: this is not a valid http(s) URL. Check it.')
  }
  const url = new URL(address)
  const headers = new Headers({ accept: 'application/json' })
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
  url.username = ''
  url.password = ''
  // Without user, password and query: they may be secrets, and messages end up in logs.
  const name = `${url.origin}${url.pathname}`
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await fetch(url, { headers, signal })
    if (!response.ok) {
      throw new ConfigError(`source: ${name} answered ${response.status}. Open it in a browser and check it.`)
    }
    return parseData(await response.text(), name)
  } catch (cause) {
    if (signal.aborted) {
      throw new ConfigError(`source: ${name} did not answer within ${patienceMs / 1000} seconds.`, { cause })
    }
    if (!(cause instanceof TypeError)) throw cause
    throw new ConfigError(`source: ${name} cannot be reached (${reason(cause)}). Check the URL.`, {
      cause,
    })
  }
}

/** `fetch` says only "fetch failed"; what happened is in its cause. */
function reason({ cause, message }: TypeError): string {
  if (cause instanceof AggregateError) return String(Reflect.get(cause, 'code') ?? message)
  return cause instanceof Error ? String(Reflect.get(cause, 'code') ?? cause.message) : message
}

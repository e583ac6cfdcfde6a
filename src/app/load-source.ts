import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { checkData } from '../storage/load.ts'
import type { Data, Naming } from '../storage/types.ts'
import { fetchData } from './fetch-data.ts'
import { loadModule } from './load-module.ts'
import { sampleData } from './sample-data.ts'

/** Where the data is: in a file that writes go to, or in memory, when it was computed or fetched. */
export type LoadedSource =
  | {
      readonly kind: 'file'
      readonly path: string /** It was missing and now holds a sample. */
      readonly created: boolean
    }
  | { readonly kind: 'memory'; readonly data: Data }

export interface LoadSourceOptions {
  /** How the sample that fills a missing file names its keys. */
  readonly naming?: Naming
  /** Another number than last time reads a JavaScript file anew. */
  readonly version?: number
}

/** Makes a source ready: a `.json` file, a JavaScript file that exports data or a function, an http(s) address. */
export async function loadSource(source: string, options: LoadSourceOptions = {}): Promise<LoadedSource> {
  if (/^https?:/i.test(source)) return { kind: 'memory', data: await fetchData(source) }
  if (isJsonFile(source)) return await dataFile(source, options.naming)
  if (/\.[cm]?[jt]s$/i.test(source))
    return { kind: 'memory', data: await computeData(source, options.version) }
  throw new ConfigError(
    `source: "${source}" is neither a .json file, nor a .js, .cjs, .mjs or .ts file, nor an http(s) address. Name one of these.`,
  )
}

/** Whether a source is a file that writes go to. */
export function isJsonFile(source: string | undefined): source is string {
  return source !== undefined && /\.json$/i.test(source) && !/^https?:/i.test(source)
}

async function dataFile(source: string, naming?: Naming): Promise<LoadedSource> {
  const path = resolve(source)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`source: "${source}" cannot be opened (${error.code}).`, { cause: error })
  })
  if (found?.isDirectory()) throw new ConfigError(`source: "${source}" is a folder. Name a file.`)
  if (found !== undefined) return { kind: 'file', path, created: false }
  const text = `${JSON.stringify(sampleData(naming), null, 2)}\n`
  // `wx`: a file that somebody else made a moment ago is theirs and stays.
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    const why = error.code === 'ENOENT' ? 'its folder does not exist' : error.code
    throw new ConfigError(
      `source: "${source}" does not exist and cannot be created (${why}). Check the path.`,
      {
        cause: error,
      },
    )
  })
  return { kind: 'file', path, created: true }
}

async function computeData(source: string, version?: number): Promise<Data> {
  const file = resolve(source)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new ConfigError(`source: there is no file "${source}". Check the path.`)
  const exported = await loadModule(file, `source: "${source}"`, version)
  return checkData(isFunction(exported) ? await call(exported, source) : exported, source)
}

async function call(make: () => unknown, source: string): Promise<unknown> {
  try {
    return await make()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new ConfigError(`source: the function that "${source}" exports failed: ${why}`, { cause })
  }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

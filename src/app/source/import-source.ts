import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { ConfigError, StorageError } from '../../catalogue/error-classes.ts'
import { rescuePath } from '../../storage/file/overwrite-file.ts'
import { kindOf, readInChunks } from '../../storage/file/regular-file.ts'
import { type Incoming, type Part, partsOf, readParts } from '../../storage/formats/incoming.ts'
import { unlessAborted } from '../../util/unless-aborted.ts'
import { missingRemedy } from './explain-source.ts'
import { dataFiles, isFolder, isJsonFile, type Source } from './load-source.ts'

interface ImportSourceOptions {
  readonly from: Source | AsyncIterable<Uint8Array>
  readonly onProgress?: ((progress: { rows: number; bytes: number; totalBytes?: number }) => void) | undefined
}

/** The data to import. Can be read again from the start if it is a file. */
export class ImportSource implements AsyncIterable<Part> {
  readonly #options: ImportSourceOptions
  readonly #signal: AbortSignal
  readonly #totalBytes: number | undefined
  #rows = 0
  #bytes = 0
  #counts = new Map<string, number>()
  #isSpent = false

  constructor(options: ImportSourceOptions, signal: AbortSignal, totalBytes: number | undefined) {
    this.#options = options
    this.#signal = signal
    this.#totalBytes = totalBytes
  }

  get counted(): { readonly resources: number; readonly rows: number } {
    return {
      resources: this.#counts.size,
      rows: [...this.#counts.values()].reduce((sum, rows) => sum + rows, 0),
    }
  }

  report({ rows = this.#rows, bytes = this.#bytes }): void {
    this.#rows = rows
    this.#bytes = bytes
    const total = this.#totalBytes === undefined ? {} : { totalBytes: this.#totalBytes }
    this.#options.onProgress?.({ rows, bytes, ...total })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Part, void> {
    this.#counts = new Map()
    let name = ''
    for await (const part of partsOf(await this.#incoming())) {
      if (part.kind !== 'rows') {
        name = part.name
        this.#counts.set(name, 0)
      } else this.#counts.set(name, (this.#counts.get(name) ?? 0) + part.rows.length)
      yield part
    }
  }

  async #incoming(): Promise<Incoming> {
    const { from } = this.#options
    if (isStream(from)) return readParts(this.#counting(this.#once(from)), 'The input')
    // If a server was killed while it overwrote the file, the rescue file has the rest.
    if (!isJsonFile(from) || existsSync(rescuePath(resolve(from)))) {
      return (await dataFiles(from, { persist: false }).load()).toData()
    }
    return readParts(this.#counting(chunksOf(resolve(from))), basename(from), basename(from, extname(from)))
  }

  #once(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    if (this.#isSpent) throw new ConfigError('import: the input cannot be read twice. Try again.')
    this.#isSpent = true
    return stream
  }

  async *#counting(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    let bytes = 0
    for await (const chunk of untilAborted(chunks, this.#signal)) {
      yield chunk
      bytes += chunk.length
      this.report({ bytes })
    }
  }
}

/** Throws a StorageError: an error of the system could be taken for one of the database connection. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array, void> {
  const name = basename(path)
  try {
    yield* readInChunks(path, name)
  } catch (cause) {
    if (cause instanceof StorageError) throw cause
    const why = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    throw new StorageError('INVALID_DATA', `${name} cannot be read${why}. Check it, and try again.`, {
      cause,
    })
  }
}

/** Does not wait for a pipe that may stay silent. */
async function* untilAborted<T>(things: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = things[Symbol.asyncIterator]()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await unlessAborted(iterator.next(), signal)
      if (done) return
      yield value
    }
  } finally {
    const end = iterator.return?.()
    if (!signal.aborted) await end
  }
}

export function isStream(from: ImportSourceOptions['from']): from is AsyncIterable<Uint8Array> {
  return typeof from === 'object' && Symbol.asyncIterator in from
}

/** Undefined where progress is not measured in bytes. */
export async function sizeOf(source: Source): Promise<number | undefined> {
  let size = 0
  for (const file of [source].flat()) size += await sizeOfFile(file)
  return isJsonFile(source) ? size : undefined
}

async function sizeOfFile(file: string): Promise<number> {
  const stats = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    const isMissing = cause.code === 'ENOENT'
    const remedy = isMissing ? missingRemedy(file) : 'Check the path.'
    const what = isMissing ? 'does not exist' : `cannot be opened (${cause.code})`
    throw new ConfigError(`import: "${file}" ${what}. ${remedy}`, { cause })
  })
  if (stats.isFile() || isFolder(file)) return stats.size
  throw new ConfigError(`import: "${file}" is ${kindOf(stats)}. Name a file.`)
}

import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Data } from '../core/engine/types.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { unlessAborted } from '../core/kernel/util/unless-aborted.ts'
import { kindOf } from '../stores/file/regular-file.ts'
import { decodeText, parseData } from '../stores/formats/load.ts'
import { missingRemedy } from './explain-source.ts'
import { dataFiles, isFolder, isJsonFile, type SourceSetting } from './load-source.ts'

export type ImportFrom = SourceSetting | AsyncIterable<Uint8Array>

/** The data to import, as it would be served. @param onBytes called with the number of bytes read so far */
export async function readImport(
  from: ImportFrom,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Data> {
  if (isStream(from)) return readStream(from, signal, onBytes)
  let size = 0
  for (const file of [from].flat()) size += await sizeOfFile(file)
  const data = (await dataFiles(from, { persist: false }).load()).toData()
  // An empty file can be served, but was hardly meant.
  if (isJsonFile(from) && Object.keys(data).length === 0) parse(await readFile(from), basename(from))
  onBytes(size)
  return data
}

async function readStream(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Data> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of untilAborted(stream, signal)) {
    chunks.push(chunk)
    size += chunk.length
    onBytes(size)
  }
  return parse(Buffer.concat(chunks), 'The input')
}

function parse(bytes: Uint8Array, name: string): Data {
  return parseData(decodeText(bytes, name), name)
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

function isStream(from: ImportFrom): from is AsyncIterable<Uint8Array> {
  return typeof from === 'object' && Symbol.asyncIterator in from
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

import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConfigError, StorageError } from '../../catalogue/error-classes.ts'
import { realPath } from '../../storage/file/fs.ts'
import { removeLeftovers } from '../../storage/file/temp-files.ts'
import { replaceFiles } from '../../storage/file/write-file.ts'
import { readAddress } from '../../storage/postgres/address.ts'
import { ImportSource } from './import-source.ts'
import {
  checkEnds,
  checkTarget,
  type ExportOptions,
  type ImportOptions,
  isStream,
  sizeOf,
  type Transferred,
} from './transfer-options.ts'

/** Puts the data of a file, however large, or of several, into a database: all of it or, if anything fails, nothing. */
export async function importData(options: ImportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal = new AbortController().signal } = options
  checkEnds('import', from, to)
  const address = readAddress(to, options.schema)
  const totalBytes = isStream(from) ? undefined : await sizeOf(from)
  const { importToPostgres } = await import('../../storage/postgres/transfer.ts')
  const source = new ImportSource(options, signal, totalBytes)
  const onRows = (rows: number) => source.report({ rows })
  await importToPostgres(address, source, { replace, onRows, signal })
  return source.counted
}

/** Writes a database to a file, whole or not at all, or to a stream: what `/db` shows, and hidden fields. */
export async function exportData(options: ExportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal, onProgress } = options
  checkEnds('export', to, from)
  const address = readAddress(from, options.schema)
  const write = typeof to === 'string' ? await toFile(to, replace) : toStream(to, signal)
  const { exportFromPostgres } = await import('../../storage/postgres/transfer.ts')
  return exportFromPostgres(address, signal, async ({ resources, rows: totalRows, pieces }) => {
    let source: unknown
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      let rows = 0
      let bytes = 0
      try {
        for await (const piece of pieces) {
          signal?.throwIfAborted()
          yield piece.bytes
          rows += piece.rows
          bytes += piece.bytes.length
          onProgress?.({ rows, totalRows, bytes })
        }
      } catch (error) {
        source = error
        throw error
      }
    }
    try {
      await write(chunks())
    } catch (error) {
      throw error === source || signal?.aborted ? error : explainTarget(error, to)
    }
    return { resources, rows: totalRows }
  })
}

type WriteAll = (chunks: AsyncIterable<Uint8Array>) => Promise<void>

async function toFile(to: string, replace: boolean): Promise<WriteAll> {
  const beforeReplace = () => checkTarget(to, replace)
  await beforeReplace()
  const target = await realPath(resolve(to))
  await removeLeftovers(target)
  return async (chunks) => {
    await replaceFiles([{ target, chunks }], beforeReplace)
  }
}

/** Writes to a stream, and leaves it open. The signal ends the wait for one that takes nothing. */
function toStream(to: Writable, signal?: AbortSignal): WriteAll {
  return async (chunks) => {
    const poured = pour(chunks, to)
    let stop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason)
    })
    signal?.addEventListener('abort', stop)
    try {
      await Promise.race([poured, stopped])
    } finally {
      signal?.removeEventListener('abort', stop)
      poured.catch(() => {})
    }
  }
}

async function pour(chunks: AsyncIterable<Uint8Array>, to: Writable): Promise<void> {
  // Failures reach the callback; without a listener, they would end the process.
  const ignore = () => {}
  to.on('error', ignore)
  await pipeline(chunks, to, { end: false })
  // Until the last byte is written: a process that exports to a pipe may end right after.
  await new Promise<void>((done, fail) => to.write('', (error) => (error ? fail(error) : done())))
  to.off('error', ignore)
}

function explainTarget(error: unknown, to: string | Writable): unknown {
  if (error instanceof ConfigError || error instanceof StorageError || !(error instanceof Error)) return error
  const why = 'code' in error ? ` (${error.code})` : ''
  const message =
    typeof to === 'string'
      ? `export: "${to}" cannot be written${why}. Check its folder, its permissions and the free space.`
      : `export: the output was closed${why}, and part of the data is missing there.`
  return new ConfigError(message, { cause: error })
}

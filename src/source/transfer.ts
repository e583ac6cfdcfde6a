import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isCollection } from '../core/engine/data/database.ts'
import type { Data } from '../core/engine/types.ts'
import { ConfigError, StorageError } from '../core/kernel/catalogue/error-classes.ts'
import { unlessAborted } from '../core/kernel/util/unless-aborted.ts'
import { realPath } from '../stores/file/fs.ts'
import { kindOf } from '../stores/file/regular-file.ts'
import { removeLeftovers } from '../stores/file/temp-files.ts'
import { replaceFiles } from '../stores/file/write-file.ts'
import { formatOf } from '../stores/formats/formats.ts'
import { isPostgres, readAddress } from '../stores/postgres/address.ts'
import { type ImportFrom, readImport } from './import-source.ts'
import { heldBy, inFormat, isDataFile, isInFiles } from './load-source.ts'

export interface TransferOptions {
  /** Instead of the one in the address. @default restable */
  readonly schema?: string | undefined
  /** Whether what is already there may be replaced. @default false */
  readonly replace?: boolean | undefined
  /** Called again and again while it goes on. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined
  /** Ends it: nothing is changed then, unless everything was already done. */
  readonly signal?: AbortSignal | undefined
}

export interface TransferProgress {
  readonly rows: number
  /** Unknown while a file or a stream is read. Once all are written, indexes are made. */
  readonly totalRows?: number
  /** Read from the file or stream, or written to it. */
  readonly bytes: number
}

export interface Transferred {
  readonly resources: number
  readonly rows: number
}

export interface ImportOptions extends TransferOptions {
  /** A data file, several, a folder of them, or the bytes of a JSON file as they come, such as `process.stdin`. */
  readonly from: ImportFrom
  /** The address of the database. */
  readonly to: string
}

export interface ExportOptions extends TransferOptions {
  /** The address of the database. */
  readonly from: string
  /** A data file, or a stream for JSON, such as `process.stdout`, which is left open. */
  readonly to: string | Writable
}

/** Puts the data of a file, or of several, into a database: all of it or, if anything fails, nothing. */
export async function importData(options: ImportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal = new AbortController().signal, onProgress } = options
  checkEnds('import', from, to)
  const address = readAddress(to, options.schema)
  let bytes = 0
  const data = await readImport(from, signal, (read) => {
    bytes = read
    onProgress?.({ rows: 0, bytes })
  })
  const transferred = { resources: Object.keys(data).length, rows: 0 }
  for (const [name, value] of Object.entries(data))
    if (isCollection(name, value)) transferred.rows += value.length
  const { importToPostgres } = await import('../stores/postgres/transfer.ts')
  const onRows = (rows: number) => onProgress?.({ rows, totalRows: transferred.rows, bytes })
  await importToPostgres(address, data, { replace, onRows, signal })
  return transferred
}

/** Writes a database to a file, whole or not at all, or to a stream: what `/db` shows, and hidden fields. */
export async function exportData(options: ExportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal = new AbortController().signal, onProgress } = options
  checkEnds('export', to, from)
  const address = readAddress(from, options.schema)
  // The signal ends the wait for a stream that takes nothing.
  const write: WriteAll =
    typeof to === 'string' ? await toFile(to, replace) : (chunks) => unlessAborted(pour(chunks, to), signal)
  const { exportFromPostgres } = await import('../stores/postgres/transfer.ts')
  return exportFromPostgres(address, signal, async ({ resources, rows: totalRows, pieces }) => {
    let source: unknown
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      let rows = 0
      let bytes = 0
      try {
        for await (const piece of pieces) {
          signal.throwIfAborted()
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
      await write(inFormatOf(to, chunks()))
    } catch (error) {
      throw error === source || signal.aborted ? error : explainTarget(error, to)
    }
    return { resources, rows: totalRows }
  })
}

/** In the format of the file's ending. Only JSON is written as it comes. */
async function* inFormatOf(
  to: string | Writable,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const format = typeof to === 'string' ? formatOf(to) : undefined
  if (typeof to !== 'string' || format === undefined || format === 'json') return yield* chunks
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  const data: Data = JSON.parse(Buffer.concat(pieces).toString())
  const held = heldBy(
    to,
    data,
    'export: the database',
    'Write a .json file, or name this one after one of them, such as',
  )
  yield Buffer.from(await inFormat(held, format, to, 'export'))
}

const WRITE = {
  import: 'Write: restable import db.json postgres://user@host/database',
  export: 'Write: restable export postgres://user@host/database db.json',
} as const

/** Throws if one of both ends is missing, or neither is a database. */
export function checkEnds(way: 'import' | 'export', ends: unknown, database: string): void {
  for (const file of [ends].flat()) checkEnd(way, file, database, Array.isArray(ends))
}

function checkEnd(way: 'import' | 'export', file: unknown, database: string, isOneOfSeveral: boolean): void {
  if (typeof file === 'string' && isPostgres(file)) {
    const isTwice = isPostgres(database)
    const what = isTwice ? 'both are databases' : 'the file and the database are the wrong way round'
    throw new ConfigError(`${way}: ${what}. ${WRITE[way]}`)
  }
  if (!isPostgres(database)) throw new ConfigError(`${way}: the database is missing. ${WRITE[way]}`)
  const isImported = isOneOfSeveral ? isDataFile : isInFiles
  if (typeof file !== 'string' || isDataFile(file) || (way === 'import' && isImported(file))) return
  const hint = /:\/\//.test(file) ? '' : ` "${file}" is not one.`
  const kinds = `a data file, as restable serves them${way === 'import' ? ', or a folder of them' : ''}`
  throw new ConfigError(`${way}: the file has to be ${kinds}.${hint} ${WRITE[way]}`)
}

type WriteAll = (chunks: AsyncIterable<Uint8Array>) => Promise<void>

async function toFile(to: string, replace: boolean): Promise<WriteAll> {
  const remedy = replace ? undefined : 'Add --replace to overwrite it, or name another file.'
  const beforeReplace = () => checkTarget('export', to, remedy)
  await beforeReplace()
  const target = await realPath(resolve(to))
  await removeLeftovers(target)
  return async (chunks) => {
    await replaceFiles([{ target, chunks }], beforeReplace)
  }
}

/** @param remedy for a file that is there, unless it may be replaced */
export async function checkTarget(command: string, file: string, remedy?: string): Promise<void> {
  const refuse = (why: string) => new ConfigError(`${command}: "${file}" ${why}`)
  const stats = await stat(file).catch(() => undefined)
  if (stats && !stats.isFile()) throw refuse(`is ${kindOf(stats)}. Name a file.`)
  if (stats && remedy !== undefined) throw refuse(`exists already. ${remedy}`)
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (folder?.isDirectory()) return
  throw refuse('cannot be written: there is no such folder. Make it, or correct the path.')
}

/** Writes to a stream, and leaves it open. */
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

import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { kindOf } from '../../storage/file/regular-file.ts'
import { isPostgres } from '../../storage/postgres/address.ts'
import { missingRemedy } from './explain-source.ts'
import { isDataFile, isFolder, isInFiles, isJsonFile, type Source } from './load-source.ts'

export interface TransferOptions {
  /** Instead of the one in the address. @default restable */
  readonly schema?: string | undefined
  /** Whether what is already there may be replaced. @default false */
  readonly replace?: boolean | undefined
  /** The primary key. @default id */
  readonly id?: string | undefined
  readonly foreignKeySuffix?: string | undefined
  /** Called again and again while it goes on. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined
  /** Ends it: nothing is changed then, unless everything was already done. */
  readonly signal?: AbortSignal | undefined
}

export interface TransferProgress {
  readonly rows: number
  readonly totalRows?: number
  /** Of the file, read or written. Once all are read, indexes are made. */
  readonly bytes: number
  readonly totalBytes?: number
}

export interface Transferred {
  readonly resources: number
  readonly rows: number
}

export interface ImportOptions extends TransferOptions {
  /** A data file, several, a folder of them, or the bytes of a JSON file as they come, such as `process.stdin`. */
  readonly from: Source | AsyncIterable<Uint8Array>
  /** The address of the database. */
  readonly to: string
}

export interface ExportOptions extends TransferOptions {
  /** The address of the database. */
  readonly from: string
  /** A JSON file, or a stream, such as `process.stdout`, which is left open. */
  readonly to: string | Writable
}

const WRITE = {
  import: 'Write: restable import db.json postgres://user@host/database',
  export: 'Write: restable export postgres://user@host/database db.json',
} as const

export function isStream(from: ImportOptions['from']): from is AsyncIterable<Uint8Array> {
  return typeof from === 'object' && Symbol.asyncIterator in from
}

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
  if (typeof file !== 'string' || isJsonFile(file) || (way === 'import' && isImported(file))) return
  const hint = /:\/\//.test(file) ? '' : ` "${file}" is not one.`
  const kinds =
    way === 'import' ? 'a data file, as restable serves them, or a folder of them' : 'a .json file'
  throw new ConfigError(`${way}: the file has to be ${kinds}.${hint} ${WRITE[way]}`)
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

export async function checkTarget(file: string, replace: boolean): Promise<void> {
  const stats = await stat(file).catch(() => undefined)
  if (stats && !stats.isFile()) throw new ConfigError(`export: "${file}" is ${kindOf(stats)}. Name a file.`)
  if (stats && !replace) {
    throw new ConfigError(
      `export: "${file}" exists already. Add --replace to overwrite it, or name another file.`,
    )
  }
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (folder?.isDirectory()) return
  throw new ConfigError(
    `export: "${file}" cannot be written: there is no such folder. Make it, or correct the path.`,
  )
}

import type { Writable } from 'node:stream'

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
  /** Known in advance for an export only. */
  readonly totalRows?: number
  /** Of the file, read or written. Once all are read, indexes are made. */
  readonly bytes: number
  /** Known in advance for the import of a file only. */
  readonly totalBytes?: number
}

export interface Transferred {
  readonly resources: number
  readonly rows: number
}

export interface ImportOptions extends TransferOptions {
  /** A JSON file, or its bytes as they come, such as `process.stdin`. */
  readonly from: string | AsyncIterable<Uint8Array>
  /** The address of the database. */
  readonly to: string
}

export interface ExportOptions extends TransferOptions {
  /** The address of the database. */
  readonly from: string
  /** A JSON file, or a stream, such as `process.stdout`, which is left open. */
  readonly to: string | Writable
}

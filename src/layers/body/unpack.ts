import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'

export interface Unpacker {
  /** Decompresses; absent if the body is not compressed. */
  readonly stream?: Transform
  /** Bytes the decompressor itself may allocate once data arrives. */
  readonly memory: number
}

export function isPacked({ headers }: Request): boolean {
  return headers['content-encoding'] !== undefined
}

/** The decompressor for a request's body; undefined for an unsupported encoding. */
export function unpacker({ headers }: Request): Unpacker | undefined {
  switch ((headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return { memory: 0 }
    case 'gzip':
      return { stream: createGunzip(), memory: 64 * 1024 }
    case 'deflate':
      return { stream: createInflate(), memory: 64 * 1024 }
    case 'br':
      // The window size a sender may choose: it is filled before anything comes out.
      return { stream: createBrotliDecompress(), memory: 16 * 1024 * 1024 }
    default:
      return undefined
  }
}

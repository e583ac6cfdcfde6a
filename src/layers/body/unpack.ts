import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'

export interface Unpacker {
  /** Where packed bytes go in and others come out; none where they come as they are. */
  readonly stream?: Transform
  /** Bytes that it may take for itself, as soon as there is something to unpack. */
  readonly memory: number
}

export function isPacked({ headers }: Request): boolean {
  return headers['content-encoding'] !== undefined
}

/** What unpacks the body of a request; undefined for an encoding that is not known here. */
export function unpacker({ headers }: Request): Unpacker | undefined {
  switch ((headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return { memory: 0 }
    case 'gzip':
      return { stream: createGunzip(), memory: 64 * 1024 }
    case 'deflate':
      return { stream: createInflate(), memory: 64 * 1024 }
    case 'br':
      // The window that its sender may ask for: it is filled before anything comes out.
      return { stream: createBrotliDecompress(), memory: 16 * 1024 * 1024 }
    default:
      return undefined
  }
}

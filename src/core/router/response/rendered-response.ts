import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RenderableResult } from '../read.ts'

const compress = promisify(gzip)

export class RenderedResponse {
  readonly reading: RenderableResult
  readonly body: string | Buffer
  readonly length: number
  readonly etag: string
  readonly type: string | undefined
  cacheKey: string | undefined
  wasSent = false
  /** Bytes of the body, its compressed copy and the array of rows; the rows belong to the data. */
  memory: number
  #gzip: Promise<Buffer> | undefined

  constructor(reading: RenderableResult, body: string | Buffer, etag: string, type?: string) {
    this.reading = reading
    this.body = body
    this.length = Buffer.byteLength(body)
    this.etag = etag
    this.type = type
    // A string takes two bytes per character if any of them is beyond Latin-1.
    const isWide = typeof body === 'string' && body.length !== this.length
    const { joined } = reading
    const rows = joined ? joined.length * 24 : Array.isArray(reading.data) ? reading.data.length * 8 : 0
    this.memory = (isWide ? body.length * 2 : this.length) + rows
  }

  gzipped(): Promise<Buffer> {
    this.#gzip ??= this.#compress()
    return this.#gzip
  }

  async #compress(): Promise<Buffer> {
    try {
      const bytes = inItsOwnMemory(await compress(this.body))
      this.memory += bytes.length
      return bytes
    } catch (error) {
      this.#gzip = undefined
      throw error
    }
  }
}

/** zlib returns a slice of a larger block, which it would keep in memory. */
function inItsOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

import type { Encoded } from './encode-row.ts'
import type { Column } from './tables.ts'

/** Bytes that are sent together. */
const PIECE = 64 * 1024

/** Fewer characters are given room for three bytes each, more are counted. */
const FEW_CHARACTERS = 4096

const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TAIL = Buffer.from([0xff, 0xff])
const NULL = -1

/** Rows as PostgreSQL's binary `COPY` reads them: no character needs an escape, and no number is rounded. */
export class CopyRows {
  readonly #columns: readonly Column[]
  #bytes = Buffer.allocUnsafe(PIECE)
  #length: number

  constructor(columns: readonly Column[]) {
    this.#columns = columns
    this.#length = HEAD.copy(this.#bytes)
  }

  /** Whether there is enough to be sent. */
  get isFull(): boolean {
    return this.#length >= PIECE / 2
  }

  add(row: Encoded): void {
    this.#makeRoom(2)
    this.#length = this.#bytes.writeInt16BE(this.#columns.length, this.#length)
    for (const { name, type } of this.#columns) {
      const value = row[name]
      if (value === undefined || value === null) this.#addNull()
      else if (typeof value === 'string') this.#addText(value)
      else if (typeof value === 'boolean') this.#addByte(value ? 1 : 0)
      else if (type === 'bigint') this.#addWhole(value)
      else if (Number.isFinite(value)) this.#addNumber(value)
      else this.#addNull()
    }
  }

  /** What was added since the last time. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafe(PIECE)
    this.#length = 0
    return taken
  }

  /** The same, and the end. */
  takeLast(): Uint8Array {
    this.#makeRoom(TAIL.length)
    this.#length += TAIL.copy(this.#bytes, this.#length)
    return this.take()
  }

  #addNull(): void {
    this.#makeRoom(4)
    this.#length = this.#bytes.writeInt32BE(NULL, this.#length)
  }

  #addText(text: string): void {
    const most = text.length <= FEW_CHARACTERS ? 3 * text.length : Buffer.byteLength(text)
    this.#makeRoom(4 + most)
    const size = this.#bytes.write(text, this.#length + 4)
    this.#bytes.writeInt32BE(size, this.#length)
    this.#length += 4 + size
  }

  #addByte(byte: number): void {
    this.#makeRoom(5)
    this.#length = this.#bytes.writeInt32BE(1, this.#length)
    this.#length = this.#bytes.writeInt8(byte, this.#length)
  }

  #addWhole(value: number): void {
    this.#makeRoom(12)
    this.#length = this.#bytes.writeInt32BE(8, this.#length)
    this.#length = this.#bytes.writeBigInt64BE(BigInt(value), this.#length)
  }

  #addNumber(value: number): void {
    this.#makeRoom(12)
    this.#length = this.#bytes.writeInt32BE(8, this.#length)
    this.#length = this.#bytes.writeDoubleBE(value, this.#length)
  }

  #makeRoom(size: number): void {
    const wanted = this.#length + size
    if (wanted <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

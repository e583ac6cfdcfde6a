import type { Frame } from '../../core/router/read.ts'

/** Bytes that a shape keeps, and how many a row takes besides its JSON. */
const MOST = 16 * 1024 * 1024
const BESIDES = 200

/** The JSON of rows as clients see them. Rows never change: each is written once, as long as there is room. */
export class RowBytes {
  readonly #rows = new Map<string, WeakMap<object, Buffer>>()
  #size = 0

  /**
   * Writes a list with what is around it.
   * @param kind what else decides how a row looks: its resource
   */
  list(rows: readonly unknown[], frame: Frame, kind: string, show: (row: unknown) => unknown): Buffer {
    const { before, after, depth } = frame
    if (rows.length === 0) return Buffer.from(`${before}[]${after}`)
    const known = this.#of(`${depth} ${kind}`)
    const margin = `\n${'  '.repeat(depth + 1)}`
    const start = Buffer.from(`${before}[`)
    const end = Buffer.from(`${margin.slice(0, -2)}]${after}`)
    let length = start.length + end.length - COMMA
    const written = rows.map((row) => {
      const bytes = known.get(row as object) ?? this.#write(row, known, margin, show)
      length += bytes.length
      return bytes
    })
    const whole = Buffer.allocUnsafeSlow(length)
    whole.set(start)
    let at = start.length
    for (const bytes of written) {
      whole.set(bytes, at)
      at += bytes.length
    }
    // No comma behind the last row.
    whole.set(end, at - COMMA)
    return whole
  }

  /** A line of its own, with the comma before the next. */
  #write(
    row: unknown,
    known: WeakMap<object, Buffer>,
    margin: string,
    show: (row: unknown) => unknown,
  ): Buffer {
    const text = JSON.stringify(show(row), null, 2) ?? 'null'
    const bytes = Buffer.from(`${margin}${text.replaceAll('\n', margin)},`)
    if (typeof row === 'object' && row !== null) known.set(row, bytes)
    this.#size += bytes.length + BESIDES
    return bytes
  }

  #of(kind: string): WeakMap<object, Buffer> {
    if (this.#size > MOST) {
      this.#rows.clear()
      this.#size = 0
    }
    const known = this.#rows.get(kind) ?? new WeakMap()
    this.#rows.set(kind, known)
    return known
  }
}

const COMMA = 1

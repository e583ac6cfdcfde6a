import type { Frame } from './part.ts'

/** Characters of JSON that a shape keeps. */
const MOST = 8 * 1024 * 1024

/** The JSON of rows as clients see them. Rows never change: each is written once, as long as there is room. */
export class RowTexts {
  readonly #texts = new Map<string, WeakMap<object, string>>()
  #length = 0

  /**
   * Writes a list with what is around it.
   * @param kind what else decides how a row looks: its resource
   */
  list(
    rows: readonly unknown[],
    { before, after, depth }: Frame,
    kind: string,
    show: (row: unknown) => unknown,
  ): string {
    const count = rows.length
    if (count === 0) return `${before}[]${after}`
    const texts = this.#of(`${depth} ${kind}`)
    const margin = `\n${'  '.repeat(depth + 1)}`
    const written = new Array<string>(count)
    for (let at = 0; at < count; at++) {
      const row = rows[at]
      written[at] = texts.get(row as object) ?? this.#write(row, texts, margin, show)
    }
    // Into the first and the last, so that all of it is copied once.
    written[0] = `${before}[${margin}${written[0]}`
    written[count - 1] += `${margin.slice(0, -2)}]${after}`
    return written.join(`,${margin}`)
  }

  #write(
    row: unknown,
    texts: WeakMap<object, string>,
    margin: string,
    show: (row: unknown) => unknown,
  ): string {
    const text = (JSON.stringify(show(row), null, 2) ?? 'null').replaceAll('\n', margin)
    if (typeof row === 'object' && row !== null) texts.set(row, text)
    this.#length += text.length
    return text
  }

  #of(kind: string): WeakMap<object, string> {
    if (this.#length > MOST) {
      this.#texts.clear()
      this.#length = 0
    }
    const texts = this.#texts.get(kind) ?? new WeakMap()
    this.#texts.set(kind, texts)
    return texts
  }
}

import { constants, fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Table } from '../../core/engine/data/table.ts'
import { diff } from '../../core/engine/data/tree.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'
import type { CsvLineStyle } from '../formats/csv-cells.ts'
import { csvLine } from '../formats/csv-fields.ts'
import { UNFINISHED } from '../formats/ndjson.ts'
import { useFile, versionOf } from './fs.ts'

const NEWLINE = 10

/** Undefined if more than a new line is needed. */
type LineOf = (row: object) => string | undefined

/** The end of a file with a row per line, NDJSON or CSV, where new rows go. */
export class AppendedLines {
  readonly #lineOf: LineOf
  readonly #isAlwaysMarked: boolean
  readonly #lineEnd: string
  #size: number
  #needsLineEnd: boolean

  /**
   * @param bytes of the file, up to the last whole row
   * @param style of CSV, where half a row is a row, too
   */
  constructor(bytes: Buffer, style?: CsvLineStyle) {
    this.#lineOf = style ? (row) => csvLine(row, style) : JSON.stringify
    this.#isAlwaysMarked = style !== undefined
    const first = bytes.indexOf(NEWLINE)
    this.#lineEnd = first > 0 && bytes[first - 1] === 13 ? '\r\n' : '\n'
    this.#size = bytes.length
    this.#needsLineEnd = bytes.length > 0 && bytes.at(-1) !== NEWLINE
  }

  /** Undefined if there is more to a change than new rows at the end. */
  rowsToAppend(before: Table | undefined, after: Table | undefined): readonly string[] | undefined {
    if (!before || !after || after.size <= before.size) return undefined
    const rows: string[] = []
    for (const { rank, before: old, after: row } of diff(before.rows, after.rows)) {
      if (old !== undefined || row === undefined || rank < before.nextRank) return undefined
      const line = this.#lineOf(toStoredRow(row))
      if (line === undefined) return undefined
      rows.push(line)
    }
    return rows
  }

  /**
   * Resolves with the file's version once the rows are on disk; if it fails, the file is as it was, with a new version.
   * Programs that do not ask for the lock may append at any time: then there is no version, so that we read again.
   */
  async append(
    target: string,
    rows: readonly string[],
    assertUnchanged: () => void,
    onUndone: (version: string) => void,
  ): Promise<string> {
    const start = this.#needsLineEnd ? this.#lineEnd : ''
    const block = Buffer.from(start + rows.map((row) => row + this.#lineEnd).join(''))
    // Several rows are marked as unfinished until all are on disk: a crash leaves all of them or none.
    const isMarked = this.#isAlwaysMarked || rows.length > 1
    const mark = isMarked ? { at: start.length, byte: block[start.length] ?? 0 } : undefined
    if (mark) block.write(UNFINISHED, mark.at, 'latin1')
    return await useFile(await open(target, constants.O_WRONLY | constants.O_APPEND), async (file) => {
      assertUnchanged()
      let done = 0
      try {
        while (done < block.length) done += (await file.write(block, done)).bytesWritten
        if (mark) {
          await file.sync()
          const marked = Buffer.from(block)
          block[mark.at] = mark.byte
          await this.#overwrite(target, marked, block)
        }
        // The kernel's own times are milliseconds apart: an edit right after ours could get the same one.
        const now = new Date()
        await file.utimes(now, now)
        await file.sync()
      } catch (error) {
        await this.#takeBack(file, target, block.subarray(0, done)).catch(() => undefined)
        onUndone(this.#versionAt(file, this.#size))
        throw error
      }
      this.#needsLineEnd = false
      this.#size += block.length
      return this.#versionAt(file, this.#size)
    })
  }

  async #takeBack(file: FileHandle, target: string, ours: Buffer): Promise<void> {
    if (fstatSync(file.fd).size === this.#size + ours.length) ftruncateSync(file.fd, this.#size)
    else await this.#overwrite(target, ours, Buffer.from(ours.toString('latin1').replace(/[^\r\n]/g, ' ')))
  }

  /** In place of what we appended, wherever it went. */
  async #overwrite(target: string, ours: Buffer, bytes: Buffer): Promise<void> {
    await useFile(await open(target, 'r+'), async (file) => {
      const length = (await file.stat()).size - this.#size
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, this.#size)
      const at = buffer.indexOf(ours)
      if (at === -1) throw new Error('Another program wrote in the middle of the rows.')
      await file.write(bytes, 0, bytes.length, this.#size + at)
    })
  }

  #versionAt(file: FileHandle, size: number): string {
    const stats = fstatSync(file.fd, { bigint: true })
    return Number(stats.size) === size ? versionOf(stats) : ''
  }
}

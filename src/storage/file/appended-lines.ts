import { type FileHandle, open } from 'node:fs/promises'
import { diff } from '../data/diff.ts'
import type { Table } from '../data/table.ts'
import { UNFINISHED } from '../formats/ndjson.ts'
import { asStored } from '../rules/hidden-fields.ts'
import { useFile, versionOf } from './fs.ts'

const NEWLINE = 10

/** The end of a file with a row per line, where new rows go. */
export class AppendedLines {
  readonly #lineEnd: string
  #size: number
  #needsLineEnd: boolean

  /** @param bytes of the file, up to the last whole row */
  constructor(bytes: Buffer) {
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
      rows.push(JSON.stringify(asStored(row)))
    }
    return rows
  }

  /** Resolves with the file's version once the rows are on disk; if it fails, the file is as it was, with a new version. */
  async append(
    target: string,
    rows: readonly string[],
    assertUnchanged: () => void,
    onUndone: (version: string) => void,
  ): Promise<string> {
    const start = this.#needsLineEnd ? this.#lineEnd : ''
    const block = Buffer.from(start + rows.map((row) => row + this.#lineEnd).join(''))
    return await useFile(await open(target, 'r+'), async (file) => {
      assertUnchanged()
      try {
        await this.#write(file, block, start.length, rows.length)
      } catch (error) {
        await file.truncate(this.#size).catch(() => undefined)
        onUndone(versionOf(await file.stat({ bigint: true })))
        throw error
      }
      this.#size += block.length
      this.#needsLineEnd = false
      const stats = await file.stat({ bigint: true })
      // A program that does not ask for the lock appended as well: a version that is not there makes us read again.
      return Number(stats.size) === this.#size ? versionOf(stats) : ''
    })
  }

  /** Several rows are marked as unfinished until all are on disk: a crash leaves all of them or none. */
  async #write(file: FileHandle, block: Buffer, first: number, rows: number): Promise<void> {
    const { size } = await file.stat()
    if (size > this.#size) await file.truncate(this.#size)
    const initial = block.subarray(first, first + 1).toString('latin1')
    if (rows > 1) block.write(UNFINISHED, first, 'latin1')
    for (let done = 0; done < block.length; ) {
      done += (await file.write(block, done, block.length - done, this.#size + done)).bytesWritten
    }
    if (rows > 1) {
      await file.sync()
      await file.write(initial, this.#size + first, 'latin1')
    }
    // The kernel's own times are milliseconds apart: an edit right after ours could get the same one.
    const now = new Date()
    await file.utimes(now, now)
    await file.sync()
  }
}

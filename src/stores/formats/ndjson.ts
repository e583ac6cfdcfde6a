import { isCutShort } from '../../core/kernel/json/find-json-fault.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import { align } from './align.ts'
import { byteMarkOf, type Codec, FormatFault } from './codec.ts'

/** Marks the first of several rows until all are written: from there on, the text is not whole. */
export const UNFINISHED = '\0'

/** A row per line. A new row is appended by the file store: `write` is for all other changes. */
export const ndjson: Codec = {
  read(text) {
    const { lines, wholeUpTo } = parseLines(text)
    return { value: lines.map(({ row }) => row), wholeUpTo }
  },

  /** Lines of rows that are the same stay as they are, and so do empty lines before a row. */
  write(value, before, ids) {
    const { lines, tail } = parseLines(before)
    const end = /\r?\n/.exec(before)?.[0] ?? '\n'
    const slots = align(lines, ({ row }) => row, Array.isArray(value) ? value : [value], ids)
    const written = slots.flatMap((slot) => {
      if (!('value' in slot)) return []
      const { old, value: row } = slot
      return [old?.lead, old && isSameJson(old.row, row) ? old.line : JSON.stringify(row), end]
    })
    return byteMarkOf(before) + written.join('') + tail
  },
}

interface Line {
  /** Empty lines before it. */
  readonly lead: string
  readonly line: string
  readonly row: unknown
}

function parseLines(text: string): { lines: Line[]; tail: string; wholeUpTo?: number } {
  const lines: Line[] = []
  let number = 0
  let lead = ''
  for (let start = byteMarkOf(text).length, next = 0; start < text.length; start = next) {
    next = text.indexOf('\n', start) + 1 || text.length
    const whole = text.slice(start, next)
    const line = whole.replace(/\r?\n$/, '')
    number++
    if (line.startsWith(UNFINISHED)) return { lines, tail: lead, wholeUpTo: start }
    if (line.trim() === '') {
      lead += whole
      continue
    }
    try {
      lines.push({ lead, line, row: JSON.parse(line) })
      lead = ''
    } catch {
      // A whole line that is wrong is not for us to cut off.
      if (line === whole && isCutShort(line)) return { lines, tail: lead, wholeUpTo: start }
      throw new FormatFault(
        `not valid: line ${number} is not JSON. ${/[,\]]\s*$/.test(line) ? 'Rows have no commas after them, and no brackets around them.' : 'Put one row on each line, without line breaks in it.'}`,
      )
    }
  }
  return { lines, tail: lead }
}

import { type Codec, FormatFault, type Reading, withoutByteMark } from './codec.ts'

/** Marks the first of several rows until all are written: from there on, the text is not whole. */
export const UNFINISHED = '\0'

/** A row per line. A new row is appended by the file store: `write` is for all other changes. */
export const ndjson: Codec = {
  read(marked): Reading {
    const text = withoutByteMark(marked)
    const rows: unknown[] = []
    for (const { line, number, start, isLast } of linesOf(text)) {
      if (line.startsWith(UNFINISHED)) return { value: rows, wholeUpTo: marked.length - text.length + start }
      if (line.trim() === '') continue
      try {
        rows.push(JSON.parse(line))
      } catch {
        if (isLast) return { value: rows, wholeUpTo: marked.length - text.length + start }
        throw new FormatFault(
          `not valid: line ${number} is not JSON. Put one row on each line, without line breaks in it.`,
        )
      }
    }
    return { value: rows }
  },

  /** Lines of rows that are the same stay as they are, with empty lines before them. */
  write(value, before) {
    const mark = before.startsWith('\uFEFF') ? '\uFEFF' : ''
    const text = before.slice(mark.length)
    const end = /\r?\n/.exec(text)?.[0] ?? '\n'
    const lines = new Map<string, string[]>()
    let blank = ''
    for (const { line } of linesOf(text)) {
      const key = canonical(line)
      if (key === undefined) blank += line.trim() === '' ? line + end : ''
      else {
        const same = lines.get(key)
        if (same) same.push(blank + line)
        else lines.set(key, [blank + line])
        blank = ''
      }
    }
    for (const same of lines.values()) same.reverse()
    const written = (Array.isArray(value) ? value : [value]).map((row) => {
      const key = JSON.stringify(row)
      return `${lines.get(key)?.pop() ?? key}${end}`
    })
    return mark + written.join('') + blank
  },
}

function* linesOf(text: string) {
  let number = 0
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    number++
    yield {
      line: text.slice(start, text[end - 1] === '\r' ? end - 1 : end),
      number,
      start,
      isLast: next === -1,
    }
    start = end + 1
  }
}

function canonical(line: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(line))
  } catch {
    return undefined
  }
}

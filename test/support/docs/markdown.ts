/** The parts of a document that tests look at. */
export type Part =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly line: number }
  | { readonly kind: 'row'; readonly head: readonly string[]; readonly cells: readonly string[] }
  | Fence

export interface Fence {
  readonly kind: 'fence'
  readonly language: string
  /** The word after the language: the file that the reader should create. */
  readonly file?: string
  readonly text: string
  /** First and last line, counted from 1. */
  readonly line: number
  readonly end: number
}

/** The headings, table rows and fenced blocks of a Markdown text, in order. */
export function parseMarkdown(text: string): readonly Part[] {
  const lines = text.split('\n')
  const parts: Part[] = []
  let head: readonly string[] | undefined
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const [, language, file] = /^```(\w+) ?(\S*)$/.exec(line) ?? []
    const [, marks, title] = /^(#+) (.*)$/.exec(line) ?? []
    if (language !== undefined) {
      const end = lines.indexOf('```', index)
      const body = lines.slice(index + 1, end).join('\n')
      const place = { line: index + 1, end: end + 1 }
      parts.push({ kind: 'fence', language, text: body, ...place, ...(file && { file }) })
      index = end
    } else if (marks !== undefined && title !== undefined) {
      parts.push({ kind: 'heading', level: marks.length, text: title, line: index + 1 })
    } else if (line.startsWith('|') && head !== undefined) {
      if (!/^[|-]+$/.test(line)) parts.push({ kind: 'row', head, cells: cellsOf(line) })
      continue
    }
    head = line.startsWith('|') ? cellsOf(line) : undefined
  }
  return parts
}

/** The code spans of a text. */
export function codesIn(text = ''): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The anchor of a heading, by GitHub's rules. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function cellsOf(line: string): readonly string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

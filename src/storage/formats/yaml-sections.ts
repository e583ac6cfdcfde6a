/** A list, or a field with its name, which may hold one. */
export interface Section {
  readonly start: number
  readonly isNamed: boolean
  /** Where the lines with the dashes begin. */
  readonly rows: readonly number[]
}

/** A name, and whether anything but a comment follows in its line. */
const FIELD = /(?:[A-Za-z_$][\w$-]*|"[^"\\\n]*"|'[^'\n]*'):(?:[ \t]*(?:#.*)?(\n|$)|(?=[ \t]))/y
const DOCUMENT_START = /---[ \t]*(?:#.*)?(?:\n|$)/y

/**
 * What a text consists of, by the columns of its lines: fields of an object, and the rows of lists in them, or of one
 * list. Undefined if it takes a parser to tell, or nothing is in it.
 */
export function sectionsOf(text: string): readonly Section[] | undefined {
  const sections: (Section & { rows: number[]; column: number | undefined; isOpen: boolean })[] = []
  for (let start = 0, next = 0; start < text.length; start = next) {
    next = text.indexOf('\n', start) + 1 || text.length
    let at = start
    while (text[at] === ' ') at++
    const first = text[at]
    if (first === '\n' || first === '#' || first === undefined) continue
    const column = at - start
    const section = sections.at(-1)
    const isRow = first === '-' && /\s/.test(text[at + 1] ?? ' ')
    if (isRow && !section) sections.push({ start, isNamed: false, rows: [start], column, isOpen: false })
    else if (section && isRow && (section.column === column || section.isOpen)) {
      section.rows.push(start)
      section.column = column
      section.isOpen = false
    } else if (column === 0 && section?.isNamed !== false) {
      const field = matchAt(FIELD, text, start)
      if (field) {
        sections.push({
          start,
          isNamed: true,
          rows: [],
          column: undefined,
          isOpen: field[1] !== undefined,
        })
      } else if (section || !matchAt(DOCUMENT_START, text, start)) return undefined
    } else {
      if (!section || column <= (section.column ?? 0)) return undefined
      section.isOpen = false
    }
  }
  return sections.length > 0 ? sections : undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

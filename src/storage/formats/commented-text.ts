import { setField } from '../../json/values.ts'
import type { Slot } from './align.ts'

/** A value, and where it is in a text. */
export interface TextNode {
  readonly value: unknown
  readonly start: number
  readonly end: number
  /** Of a list or an object. Without them, it is only replaced as a whole. */
  readonly entries?: readonly TextEntry[] | undefined
  /** Without brackets, as in YAML: each entry begins a line, at one column. */
  readonly isBlock?: boolean | undefined
}

export interface TextEntry {
  /** Undefined in a list. */
  readonly name?: string | undefined
  readonly start: number
  /** Where its colon or dash ends. In brackets, it is not needed. */
  readonly head?: number | undefined
  readonly node: TextNode
}

/** An entry that stays, goes or comes. */
export type EntrySlot = Slot<TextEntry> & { readonly name?: string | undefined }

/** How a format is read, and writes what is new. */
export interface Dialect {
  /** Of a whole text; undefined if there is nothing in it. */
  rootOf(text: string): TextNode | undefined
  /** The value of a part that stands for itself. */
  read(text: string): unknown
  /** A value as a whole text. */
  whole(value: unknown): string
  /** Matches a comment that goes to the end of its line. */
  readonly lineComment: string
  /** Matches one that ends before. It must not match in another way, if what follows does not fit. */
  readonly blockComment?: string
  /** A value on one line. @param old the text that it replaces */
  inline(value: unknown, old?: string): string
  /** Whether what comes into empty brackets gets a line of its own: not where lines may not begin at any column. */
  readonly fillsInLines: boolean
  /** A value in brackets, indented by `unit`. */
  tall(value: unknown, unit: string): string
  /** A new entry of a container without brackets. Empty if there are none. */
  block(name: string | undefined, value: unknown, indent: string): string
}

/** What entries are together. */
export function plainValue(entries: readonly TextEntry[], isList: boolean): unknown {
  if (isList) return entries.map(({ node }) => node.value)
  const object = {}
  for (const { name = '', node } of entries) setField(object, name, node.value)
  return object
}

/** `{ "id": 1, "tags": ["a"] }` */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${jsonLine(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** What a text has between values: where comments are, which line they are on, and how it is indented. */
export class CommentedText {
  readonly text: string
  /** What it is indented by. */
  readonly unit: string
  readonly #comment: RegExp
  readonly #commentLine: RegExp
  readonly #unclosed: RegExp
  readonly #beside: RegExp
  readonly #restOfLine: RegExp
  readonly #gap: RegExp
  readonly #lines: RegExp
  readonly #lineComment: string
  /** Comments in lines of their own, by the column that they are to the right of. */
  readonly #deeper = new Map<number, RegExp>()

  constructor(text: string, { lineComment, blockComment }: Dialect) {
    const comment = blockComment === undefined ? lineComment : `${blockComment}|${lineComment}`
    const closed = `${lineComment}(?=[\\r\\n])${blockComment === undefined ? '' : `|${blockComment}`}`
    this.text = text
    this.unit = /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? '  '
    this.#lineComment = lineComment
    this.#comment = new RegExp(comment)
    this.#commentLine = new RegExp(`^\\s*(?:${comment})`)
    this.#unclosed = new RegExp(`^(?:[\\s,]|${closed})*(?:${lineComment})$`)
    this.#beside = new RegExp(`(?:[ \\t]*(?:${comment}))*`, 'y')
    this.#restOfLine = new RegExp(`[ \\t]*(?:(?:${comment})[ \\t]*)*(?=[\\r\\n]|$)`, 'y')
    this.#lines = new RegExp(`^(?:(?:[ \\t]|${closed})*[\\r\\n])*`)
    this.#gap = new RegExp(`(?:\\s|${comment})*`, 'y')
  }

  slice(start: number, end: number): string {
    return this.text.slice(start, end)
  }

  textOf({ start, end }: TextNode): string {
    return this.slice(start, end)
  }

  commentIn(part: string): string | undefined {
    return this.#comment.exec(part)?.[0]
  }

  hasComment(part: string): boolean {
    return this.#comment.test(part)
  }

  isCommentLine(line: string): boolean {
    return this.#commentLine.test(line)
  }

  /** Whether what comes after it, unless on the next line, would be part of its last comment. */
  isUnclosed(gap: string): boolean {
    return this.#unclosed.test(gap)
  }

  /** Comments of a gap without those in its last line, which are beside what follows. Empty if there are none. */
  commentsAbove(gap: string): string {
    const lines = this.#lines.exec(gap)?.[0] ?? ''
    return this.hasComment(lines) ? lines.trimEnd() : ''
  }

  /** Where comments beside it end. */
  besideEnd(at: number): number {
    return this.#matchEnd(this.#beside, at)
  }

  /** Where its line ends, if only comments follow in it. */
  lineEnd(at: number): number {
    return this.#matchEnd(this.#restOfLine, at)
  }

  /** Where the next thing is that is no comment. */
  gapEnd(at: number): number {
    return this.#matchEnd(this.#gap, at)
  }

  /** Without brackets, comments below it that are further to the right are part of it. */
  nodeEnd(node: TextNode): number {
    return node.isBlock ? this.#deeperEnd(node.end, this.columnAt(node.start)) : node.end
  }

  /** Of one without brackets: with comments beside it, and those below it that are further to the right. */
  entryEnd({ start, node }: TextEntry): number {
    return this.#deeperEnd(node.isBlock ? node.end : this.lineEnd(node.end), this.columnAt(start))
  }

  columnAt(at: number): number {
    return at - this.#lineStart(at)
  }

  indentAt(at: number): string {
    return /^[ \t]*/.exec(this.slice(this.#lineStart(at), at))?.[0] ?? ''
  }

  isFirstInLine(at: number): boolean {
    let start = at
    while (/[ \t]/.test(this.text[start - 1] ?? '')) start--
    return start === 0 || this.text[start - 1] === '\n'
  }

  #lineStart(at: number): number {
    return this.text.lastIndexOf('\n', at - 1) + 1
  }

  #deeperEnd(at: number, column: number): number {
    const lines = `(?:(?:\\r?\\n[ \\t]*)*\\r?\\n {${column + 1},}(?:${this.#lineComment}))*`
    const pattern = this.#deeper.get(column) ?? new RegExp(lines, 'y')
    this.#deeper.set(column, pattern)
    return this.#matchEnd(pattern, at)
  }

  #matchEnd(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    return pattern.test(this.text) ? pattern.lastIndex : at
  }
}

/** Writes what changed in a text. */
export interface TextWriter {
  readonly source: CommentedText
  readonly dialect: Dialect
  /** Undefined if it takes another entry: what is without brackets cannot become empty, or something else. */
  write(node: TextNode, value: unknown): string | undefined
  /** On one line if what is beside it is, or else with an indentation. */
  render(value: unknown, indent: string, beside?: string): string
}

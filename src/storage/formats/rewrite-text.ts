import { isObject, isSameJson } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import { align } from './align.ts'
import { ended, FormatFault, keepingMarks } from './codec.ts'
import {
  CommentedText,
  type Dialect,
  type EntrySlot,
  type TextNode,
  type TextWriter,
} from './commented-text.ts'
import { emptiedBlock, writeBlock, writeBrackets } from './write-entries.ts'

/**
 * The text with another value: what is the same stays as it is, and so do comments, but those beside what is removed.
 * What was written is read back: of a row, the smallest part that would not be right is written as a whole. Throws a
 * `FormatFault` if that does not help. @param id the field that tells rows apart
 */
export function rewriteText(before: string, value: unknown, dialect: Dialect, id?: string): string {
  return keepingMarks(before, (text) => {
    const root = dialect.rootOf(text)
    if (!root) return ended(text) + dialect.whole(value)
    const written = new Rewriter(text, root, dialect, id).rewrite(value)
    if (!isReadBack((whole) => dialect.rootOf(whole)?.value, written, value)) throw new FormatFault(UNFIT)
    return written
  })
}

const UNFIT =
  'laid out so that this change would lose comments. Make it in the file itself, or keep the rows in a .json file.'

class Rewriter implements TextWriter {
  readonly source: CommentedText
  readonly dialect: Dialect
  readonly #root: TextNode
  readonly #id: string | undefined
  #isInRow = false

  constructor(text: string, root: TextNode, dialect: Dialect, id: string | undefined) {
    this.source = new CommentedText(text, dialect)
    this.dialect = dialect
    this.#root = root
    this.#id = id
  }

  rewrite(value: unknown): string {
    const { source } = this
    const root = this.#root
    const written =
      this.#refilled(value) ?? this.write(root, value) ?? emptiedBlock(this, root, value).join('\n')
    return source.slice(0, root.start) + written + source.text.slice(source.nodeEnd(root))
  }

  write(node: TextNode, value: unknown): string | undefined {
    if (isSameJson(node.value, value)) return this.source.slice(node.start, this.source.nodeEnd(node))
    const isOuter = node === this.#root || (!this.#isInRow && !isObject(value))
    if (isOuter || !isContainer(value)) return this.#change(node, value)
    const wasInRow = this.#isInRow
    this.#isInRow = true
    const written = this.#change(node, value)
    this.#isInRow = wasInRow
    const indent = node.isBlock ? ' '.repeat(this.source.columnAt(node.start)) : ''
    if (written === undefined || isReadBack(this.dialect.read, indent + written, value)) return written
    return node.isBlock ? undefined : this.#replaced(node, value)
  }

  render(value: unknown, indent: string, beside = ''): string {
    if (!isContainer(value) || (beside !== '' && !beside.includes('\n'))) {
      const line = this.dialect.inline(value)
      const isTight = beside.startsWith('{') && !beside.startsWith('{ ')
      return isTight && isObject(value) ? line.replace(/^\{ (.*) \}$/s, '{$1}') : line
    }
    return this.dialect.tall(value, this.source.unit).replaceAll('\n', `\n${indent}`)
  }

  /** What became empty had to get brackets: they go again. */
  #refilled(value: unknown): string | undefined {
    const { source } = this
    const root = this.#root
    const line = source.slice(root.start, source.lineEnd(root.end))
    const isBare = source.isFirstInLine(root.start) && !source.hasComment(line)
    if (root.entries?.length !== 0 || !isBare) return undefined
    const slots = this.#slotsOf(root, value)
    return (slots && writeBlock(this, root, slots)) || undefined
  }

  #change(node: TextNode, value: unknown): string | undefined {
    const slots = this.#slotsOf(node, value)
    if (node.isBlock) return slots && writeBlock(this, node, slots)
    if (slots) return writeBrackets(this, node, slots)
    const isScalar = !node.entries && !isContainer(value)
    return isScalar ? this.dialect.inline(value, this.source.textOf(node)) : this.#replaced(node, value)
  }

  #replaced(node: TextNode, value: unknown): string {
    return this.render(value, this.source.indentAt(node.start), this.source.textOf(node))
  }

  /** Undefined if the value is no longer of that kind. */
  #slotsOf({ entries, value: old }: TextNode, value: unknown): readonly EntrySlot[] | undefined {
    if (!entries) return undefined
    if (Array.isArray(old) && Array.isArray(value))
      return align(entries, ({ node }) => node.value, value, this.#id)
    if (!isObject(old) || !isObject(value)) return undefined
    // Of a name that is there twice, only the last one counts.
    const lasts = new Map(entries.map((entry) => [entry.name, entry]))
    const present = entries.map((entry): EntrySlot => {
      const name = entry.name ?? ''
      if (!Object.hasOwn(value, name)) return { old: entry }
      return { old: entry, name, value: lasts.get(name) === entry ? value[name] : entry.node.value }
    })
    const added = Object.keys(value).filter((name) => !lasts.has(name))
    return [...present, ...added.map((name) => ({ name, value: value[name] }))]
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isReadBack(read: (text: string) => unknown, text: string, value: unknown): boolean {
  return attempt(() => isSameJson(read(text), value)) === true
}

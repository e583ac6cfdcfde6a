import { isObject, isSameJson, setField } from '../../json/values.ts'
import { align, type Slot } from './align.ts'

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
  readonly node: TextNode
}

/** How a format writes what is new. */
export interface Dialect {
  /** Matches a comment. */
  readonly comment: string
  /** A value on one line. @param old the text that it replaces */
  inline(value: unknown, old?: string): string
  /** A value in brackets, indented by `unit`. */
  tall(value: unknown, unit: string): string
  name(name: string): string
  /** A new entry of a container without brackets. */
  block(name: string | undefined, value: unknown, indent: string): string
}

/** What entries are together. */
export function plainValue(entries: readonly TextEntry[], isList: boolean): unknown {
  if (isList) return entries.map(({ node }) => node.value)
  const object = {}
  for (const { name = '', node } of entries) setField(object, name, node.value)
  return object
}

type EntrySlot = Slot<TextEntry> & { readonly name?: string | undefined }

/** The text with another value: what is the same stays as it is, and so do comments, but those in what is removed. */
export function rewriteText(text: string, root: TextNode, value: unknown, dialect: Dialect): string {
  const written = new Rewriter(text, dialect).root(root, value)
  return text.slice(0, root.start) + written + text.slice(root.end)
}

class Rewriter {
  readonly #text: string
  readonly #dialect: Dialect
  readonly #comment: RegExp
  readonly #restOfLine: RegExp
  readonly #gap: RegExp
  readonly #unit: string

  constructor(text: string, dialect: Dialect) {
    this.#text = text
    this.#dialect = dialect
    const { comment } = dialect
    this.#comment = new RegExp(comment)
    this.#restOfLine = new RegExp(`[ \\t]*(?:(?:${comment})[ \\t]*)*(?=\\n|$)`, 'y')
    this.#gap = new RegExp(`(?:\\s|${comment})*`, 'y')
    this.#unit = /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? '  '
  }

  root(node: TextNode, value: unknown): string {
    return this.#write(node, value) ?? this.#emptied(node, value)
  }

  /** Undefined if it takes another entry: what is without brackets cannot become empty, or something else. */
  #write(node: TextNode, value: unknown): string | undefined {
    if (isSameJson(node.value, value)) return this.#slice(node.start, node.end)
    const slots = slotsOf(node, value)
    if (node.isBlock) return slots && this.#block(node, slots)
    if (slots) return this.#brackets(node, slots)
    const isFlat = !node.entries && !(typeof value === 'object' && value !== null)
    const old = this.#slice(node.start, node.end)
    return isFlat ? this.#dialect.inline(value, old) : this.#rendered(value, this.#indentAt(node.start), old)
  }

  #emptied(node: TextNode, value: unknown): string {
    const comments = (node.entries ?? []).flatMap(({ start }, at, all) => {
      const lead = this.#slice(all[at - 1]?.node.end ?? node.start, start)
      return lead.split('\n').filter((line) => /^\s*#/.test(line))
    })
    return [this.#dialect.inline(value), ...comments].join('\n')
  }

  #brackets(node: TextNode, slots: readonly EntrySlot[]): string {
    const entries = node.entries ?? []
    const segments = new Map<TextEntry, Segment>()
    const header = this.#slice(node.start + 1, this.#match(this.#restOfLine, node.start + 1))
    const opening = this.#comment.test(header) ? header : ''
    let at = node.start + 1 + opening.length
    for (const [index, entry] of entries.entries()) {
      const segment = this.#segment(at, entry, entries[index + 1]?.start)
      segments.set(entry, segment)
      at = segment.end
    }
    const last = entries.at(-1)
    const hasTrailingComma = last !== undefined && segments.get(last)?.comma === true
    const tail = this.#slice(at, node.end - 1)
    const isTall = this.#slice(node.start, node.end).includes('\n') || entries.length === 0
    const closing = this.#indentAt(node.start)
    const indent = this.#entryIndent(entries) ?? closing + this.#unit
    const kept = slots.filter((slot) => 'value' in slot)
    const isReplacingTail = entries.length === 0 && this.#comment.test(tail)
    let inner = isReplacingTail ? tail.trimEnd() : ''
    let comment = isReplacingTail ? inner : opening
    const add = (part: string, commentAfter = '') => {
      inner += onNewLine(part, comment, indent)
      comment = commentAfter
    }
    for (const slot of slots) {
      const segment = slot.old && segments.get(slot.old)
      if (!('value' in slot)) {
        if (segment && this.#comment.test(segment.lead)) add(segment.lead.trimEnd(), segment.lead.trimEnd())
        continue
      }
      const comma = slot !== kept.at(-1) || hasTrailingComma
      if (slot.old && segment) {
        const isFirst = inner === '' && !this.#comment.test(segment.lead)
        const lead = isFirst ? this.#firstLead(entries, segments) : undefined
        const rest = comma && !segment.comma ? `,${segment.before}` : segment.before
        const end = rest + (comma && segment.comma ? ',' : '') + segment.after
        add((lead ?? segment.lead) + this.#bracketEntry(slot.old, slot.value) + end, end)
      } else {
        const lead = isTall ? `\n${indent}` : inner === '' ? '' : ' '
        const name = slot.name === undefined ? '' : this.#dialect.name(slot.name)
        const beside = this.#slice(last?.node.start, last?.node.end)
        add(lead + name + this.#rendered(slot.value, indent, beside) + (comma ? ',' : ''))
      }
    }
    const isEmpty = kept.length === 0 && !this.#comment.test(opening + inner + tail)
    const end = onNewLine(entries.length === 0 && kept.length > 0 ? `\n${closing}` : tail, comment, closing)
    return `${this.#text[node.start]}${isEmpty ? '' : opening + inner + end}${this.#text[node.end - 1]}`
  }

  #bracketEntry({ name, start, node }: TextEntry, value: unknown): string {
    const isGiven = node.start === node.end && !isSameJson(node.value, value)
    const before = isGiven && name !== undefined ? this.#dialect.name(name) : this.#slice(start, node.start)
    return before + (this.#write(node, value) ?? '')
  }

  /** What belongs to an entry in brackets: what is before it, its comma, and the rest of its line. */
  #segment(start: number, entry: TextEntry, next: number | undefined): Segment {
    const lead = this.#slice(start, entry.start)
    const { end } = entry.node
    const gapEnd = this.#match(this.#gap, end)
    const comma = this.#text[gapEnd] === ','
    if (!comma) {
      const rest = this.#slice(end, this.#match(this.#restOfLine, end))
      const before = next === undefined && this.#comment.test(rest) ? rest : ''
      return { lead, before, comma, after: '', end: end + before.length }
    }
    const after = this.#match(this.#restOfLine, gapEnd + 1)
    return {
      lead,
      comma,
      before: this.#slice(end, gapEnd),
      after: this.#slice(gapEnd + 1, after),
      end: after,
    }
  }

  #firstLead([first]: readonly TextEntry[], segments: ReadonlyMap<TextEntry, Segment>): string | undefined {
    const lead = first && segments.get(first)?.lead
    return lead === undefined || this.#comment.test(lead) ? undefined : lead
  }

  #block(node: TextNode, slots: readonly EntrySlot[]): string | undefined {
    if (!slots.some((slot) => 'value' in slot)) return undefined
    const entries = node.entries ?? []
    const indent = ' '.repeat(this.#columnAt(node.start))
    const leads = new Map<TextEntry, string>()
    let at = node.start
    for (const entry of entries) {
      leads.set(entry, this.#slice(at, entry.start))
      at = this.#endOf(entry)
    }
    let written = ''
    for (const slot of slots) {
      const lead = slot.old ? (leads.get(slot.old) ?? '') : `\n${indent}`
      const hasComment = slot.old !== undefined && this.#comment.test(lead)
      if (!('value' in slot)) {
        if (hasComment) written += lead.trimEnd()
        continue
      }
      if (written !== '' || hasComment) written += lead === '' ? `\n${indent}` : lead
      written += slot.old
        ? this.#blockEntry(slot.old, slot.value, indent)
        : this.#dialect.block(slot.name, slot.value, indent)
    }
    return written
  }

  #blockEntry(entry: TextEntry, value: unknown, indent: string): string {
    const { name, start, node } = entry
    const before = this.#slice(start, node.start)
    const rest = this.#slice(node.end, this.#endOf(entry))
    const old = this.#slice(node.start, node.end)
    if (isSameJson(node.value, value)) return before + old + rest
    const isPlain = !node.entries && !/^[|>]/.test(old) && old !== ''
    const isKept = isPlain
      ? typeof value !== 'object' || value === null
      : node.entries && node.entries.length > 0
    const written = isKept ? this.#write(node, value) : undefined
    if (written !== undefined) return before + written + rest
    // What stood beside it stays on its first line, and comments above it stay lines.
    const header = /^[|>].*/.exec(old)?.[0] ?? ''
    const [beside = '', ...above] = (before + header).split('\n')
    const comment = this.#comment.exec(beside)?.[0]
    const end = (comment === undefined ? '' : ` ${comment}`) + rest
    const [first, ...others] = this.#dialect.block(name, value, indent).split('\n')
    const inside = node.isBlock ? this.#emptied(node, value).split('\n').slice(1) : []
    return [first + end, ...above.filter((line) => /^\s*#/.test(line)), ...inside, ...others].join('\n')
  }

  #endOf({ node }: TextEntry): number {
    return node.isBlock ? node.end : this.#match(this.#restOfLine, node.end)
  }

  /** On one line if what is beside it is, or else with an indentation. */
  #rendered(value: unknown, indent: string, beside?: string): string {
    const isFlat = typeof value !== 'object' || value === null
    if (isFlat || (beside !== undefined && beside !== '' && !beside.includes('\n'))) {
      const line = this.#dialect.inline(value)
      const isTight = beside?.startsWith('{') === true && !beside.startsWith('{ ')
      return isTight && isObject(value) ? line.replace(/^\{ (.*) \}$/s, '{$1}') : line
    }
    return this.#dialect.tall(value, this.#unit).replaceAll('\n', `\n${indent}`)
  }

  #entryIndent(entries: readonly TextEntry[]): string | undefined {
    const first = entries.find(({ start }) => /(?:^|\n)[ \t]*$/.test(this.#text.slice(0, start).slice(-200)))
    return first && this.#indentAt(first.start)
  }

  #indentAt(at: number): string {
    const line = this.#text.lastIndexOf('\n', at - 1) + 1
    return /^[ \t]*/.exec(this.#text.slice(line, at))?.[0] ?? ''
  }

  #columnAt(at: number): number {
    return at - (this.#text.lastIndexOf('\n', at - 1) + 1)
  }

  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    return pattern.test(this.#text) ? pattern.lastIndex : at
  }

  #slice(start = 0, end = 0): string {
    return this.#text.slice(start, end)
  }
}

/** A comment that goes to the end of its line must not take in what follows it. */
function onNewLine(part: string, comment: string, indent: string): string {
  const isOpen = /(?:\/\/|#)[^\n]*$/.test(comment) && !/^[ \t]*\n/.test(part)
  return isOpen ? `\n${indent}${part.replace(/^[ \t]+/, '')}` : part
}

interface Segment {
  readonly lead: string
  /** Between the value and its comma. */
  readonly before: string
  readonly comma: boolean
  readonly after: string
  readonly end: number
}

/** Undefined if the value is no longer of that kind. */
function slotsOf({ entries, value: old }: TextNode, value: unknown): readonly EntrySlot[] | undefined {
  if (!entries) return undefined
  if (Array.isArray(old) && Array.isArray(value)) return align(entries, ({ node }) => node.value, value)
  if (!isObject(old) || !isObject(value)) return undefined
  // Of a name that is there twice, only the last one counts.
  const names = new Map(entries.map((entry) => [entry.name, entry]))
  const present = entries.map((entry): EntrySlot => {
    const name = entry.name ?? ''
    if (!Object.hasOwn(value, name)) return { old: entry }
    return { old: entry, name, value: names.get(name) === entry ? value[name] : entry.node.value }
  })
  const added = Object.keys(value).filter((name) => !names.has(name))
  return [...present, ...added.map((name) => ({ name, value: value[name] }))]
}

import { isSameJson } from '../../json/values.ts'
import type { CommentedText, EntrySlot, TextEntry, TextNode, TextWriter } from './commented-text.ts'

/** What belongs to an entry: what is before it, its comma, and comments beside it. */
interface Segment {
  readonly lead: string
  /** Between the value and its comma. */
  readonly before: string
  readonly hasComma: boolean
  readonly after: string
  readonly end: number
}

/** A list or an object in brackets. */
export function writeBrackets(writer: TextWriter, node: TextNode, slots: readonly EntrySlot[]): string {
  const { source, dialect } = writer
  const { entries = [], start, end } = node
  const { opening, segments, tail } = takeApart(source, node)
  const closing = source.indentAt(start)
  const first = entries.find((entry) => source.isFirstInLine(entry.start))
  const indent = first ? source.indentAt(first.start) : closing + source.unit
  const isTall = source.textOf(node).includes('\n') || (entries.length === 0 && dialect.fillsInLines)
  const last = entries.at(-1)
  // A value is written on one line if this is.
  const beside = last ? source.textOf(last.node) : isTall ? undefined : source.textOf(node)
  const hasTrailingComma = last !== undefined && segments.get(last)?.hasComma === true
  const kept = slots.filter((slot) => 'value' in slot)
  const isFilled = entries.length === 0 && kept.length > 0
  const parts: string[] = isFilled && source.hasComment(tail) ? [tail.trimEnd()] : []
  const [firstEntry] = entries
  const firstLead = firstEntry && segments.get(firstEntry)?.lead
  for (const slot of slots) {
    const isFirst = parts.length === 0
    const hasComma = slot !== kept.at(-1) || hasTrailingComma
    const segment = slot.old && segments.get(slot.old)
    if (!('value' in slot)) {
      const above = segment ? source.commentsAbove(segment.lead) : ''
      if (above !== '') parts.push(above)
    } else if (slot.old && segment) {
      const lead = isFirst ? leadOfFirst(source, segment, firstLead) : segment.lead
      parts.push(lead, writeBracketEntry(writer, slot.old, slot.value), ...restOf(source, segment, hasComma))
    } else {
      const gap = isTall ? `\n${indent}` : isFirst ? '' : ' '
      const name = slot.name === undefined ? '' : nameOf(slot.name)
      parts.push(gap, name + writer.render(slot.value, indent, beside) + (hasComma ? ',' : ''))
    }
  }
  const ending = !isFilled ? tail : isTall ? `\n${closing}` : ''
  const inner = join(source, [opening, ...parts, ending], indent, closing)
  const isEmpty = kept.length === 0 && inner.trim() === ''
  return `${source.text[start]}${isEmpty ? '' : inner}${source.text[end - 1]}`
}

/** What becomes the first entry begins where that did. */
function leadOfFirst(source: CommentedText, { lead }: Segment, firstLead = lead): string {
  return source.hasComment(lead) || source.hasComment(firstLead) ? lead : firstLead
}

function takeApart(source: CommentedText, { entries = [], start, end }: TextNode) {
  const header = source.slice(start + 1, source.lineEnd(start + 1))
  const opening = source.hasComment(header) ? header : ''
  const segments = new Map<TextEntry, Segment>()
  let at = start + 1 + opening.length
  for (const entry of entries) {
    const segment = segmentOf(source, at, entry, entry === entries.at(-1))
    segments.set(entry, segment)
    at = segment.end
  }
  return { opening, segments, tail: source.slice(at, end - 1) }
}

function segmentOf(source: CommentedText, start: number, entry: TextEntry, isLast: boolean): Segment {
  const lead = source.slice(start, entry.start)
  const { end } = entry.node
  const gapEnd = source.gapEnd(end)
  const hasComma = source.text[gapEnd] === ','
  const beforeEnd = hasComma ? gapEnd : source.besideEnd(end)
  const afterStart = hasComma ? gapEnd + 1 : beforeEnd
  const afterEnd = !hasComma ? afterStart : isLast ? source.besideEnd(afterStart) : source.lineEnd(afterStart)
  return {
    lead,
    before: source.slice(end, beforeEnd),
    hasComma,
    after: source.slice(afterStart, afterEnd),
    end: afterEnd,
  }
}

function restOf(source: CommentedText, segment: Segment, hasComma: boolean): readonly string[] {
  const { before, after } = segment
  if (segment.hasComma) return [before, hasComma ? ',' : '', after]
  if (!hasComma) return [before]
  return source.isUnclosed(before) ? [',', before] : [before, ',']
}

function writeBracketEntry(writer: TextWriter, { name, start, node }: TextEntry, value: unknown): string {
  const before = writer.source.slice(start, node.start)
  const isGiven = node.start === node.end && name !== undefined && !isSameJson(node.value, value)
  const head = isGiven ? (before.endsWith(':') ? `${before} ` : nameOf(name)) : before
  return head + (writer.write(node, value) ?? '')
}

function nameOf(name: string): string {
  return `${JSON.stringify(name)}: `
}

/** What comes after a comment that goes to the end of its line begins another one. */
function join(source: CommentedText, parts: readonly string[], indent: string, closing: string): string {
  let text = ''
  let isUnclosed = false
  for (const part of parts) {
    if (part === '') continue
    text += isUnclosed && !/^[ \t]*[\r\n]/.test(part) ? `\n${indent}${part.trimStart()}` : part
    isUnclosed = source.isUnclosed(part)
  }
  return isUnclosed ? `${text}\n${closing}` : text
}

/** A list or an object without brackets. Undefined if nothing is left in it. */
export function writeBlock(
  writer: TextWriter,
  node: TextNode,
  slots: readonly EntrySlot[],
): string | undefined {
  if (!slots.some((slot) => 'value' in slot)) return undefined
  const { source, dialect } = writer
  const indent = ' '.repeat(source.columnAt(node.start))
  const leads = leadsOf(source, node)
  let written = ''
  for (const slot of slots) {
    const lead = (slot.old && leads.get(slot.old)) || `\n${indent}`
    const isKept = 'value' in slot
    const gap = isKept ? lead : source.commentsAbove(lead)
    written += written !== '' ? gap : source.hasComment(gap) ? gap.trimStart() : ''
    if (isKept)
      written += slot.old
        ? writeBlockEntry(writer, slot.old, slot.value, indent)
        : dialect.block(slot.name, slot.value, indent)
  }
  return written
}

/** A value in place of entries, and lines with comments that were above them. */
export function emptiedBlock({ source, dialect }: TextWriter, node: TextNode, value: unknown): string[] {
  return [dialect.inline(value), ...commentsAbove(source, node)]
}

function commentsAbove(source: CommentedText, node: TextNode): string[] {
  return [...leadsOf(source, node).values()].flatMap((lead) => commentLines(source, lead.split('\n')))
}

function commentLines(source: CommentedText, lines: readonly string[]): string[] {
  return lines.filter((line) => source.isCommentLine(line))
}

/** What is above each entry, from the end of the one before. */
function leadsOf(source: CommentedText, { entries = [], start }: TextNode): ReadonlyMap<TextEntry, string> {
  const leads = new Map<TextEntry, string>()
  let at = start
  for (const entry of entries) {
    leads.set(entry, source.slice(at, entry.start))
    at = source.entryEnd(entry)
  }
  return leads
}

function writeBlockEntry(writer: TextWriter, entry: TextEntry, value: unknown, indent: string): string {
  const { source } = writer
  const { start, node } = entry
  const end = source.entryEnd(entry)
  if (isSameJson(node.value, value)) return source.slice(start, end)
  const old = source.textOf(node)
  const isPlain = !node.entries && !/^[|>]/.test(old) && old !== ''
  const isChanged = isPlain
    ? typeof value !== 'object' || value === null
    : node.entries !== undefined && (node.entries.length > 0 || source.hasComment(old))
  const written = isChanged ? writer.write(node, value) : undefined
  if (written === undefined) return replaceEntry(writer, entry, value, indent)
  return source.slice(start, node.start) + written + source.slice(source.nodeEnd(node), end)
}

/** Comments beside what was there stay on the first line, and those above it and in it stay lines. */
function replaceEntry(
  { source, dialect }: TextWriter,
  entry: TextEntry,
  value: unknown,
  indent: string,
): string {
  const { name, start, head = start, node } = entry
  const header = /^[|>].*/.exec(source.textOf(node))?.[0] ?? ''
  const [before = '', ...above] = (source.slice(head, node.start) + header).split('\n')
  const [after = '', ...below] = source.slice(source.nodeEnd(node), source.entryEnd(entry)).split('\n')
  const beside = [before, after].flatMap((part) => source.commentIn(part) ?? []).map((part) => ` ${part}`)
  const inside = node.isBlock ? commentsAbove(source, node) : []
  // The name stays as it is written.
  const key = source.slice(start, head)
  const isKeyKept = key.endsWith(':') && name !== undefined
  const block = dialect.block(isKeyKept ? 'x' : name, value, indent)
  const [first = '', ...lines] = (isKeyKept ? block.replace('x:', () => key) : block).split('\n')
  const comments = [...commentLines(source, above), ...inside]
  return [first + beside.join(''), ...comments, ...lines, ...commentLines(source, below)].join('\n')
}

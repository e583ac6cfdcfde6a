import { isSameJson } from '../../json/values.ts'
import type { CommentedText, TextWriter } from './commented-text.ts'
import type { EntrySlot, TextEntry, TextNode } from './text-tree.ts'

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
        ? writeEntry(writer, slot.old, slot.value, indent)
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

function writeEntry(writer: TextWriter, entry: TextEntry, value: unknown, indent: string): string {
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

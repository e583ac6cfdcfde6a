import {
  commentsAbove,
  type EntryEditor,
  type EntrySlot,
  hasComment,
  type LayoutEntry,
  lastLine,
  type TextLayout,
  type TextPosition,
} from './layout.ts'

/** Changes the entries of a list or object in YAML without brackets. */
export function editBlock(
  editor: EntryEditor,
  layout: TextLayout,
  slots: readonly EntrySlot[],
  value: unknown,
  place: TextPosition,
): TextLayout {
  const { entries = [], column = 0, tail } = layout
  let { head } = layout
  const indent = ' '.repeat(column)
  const written: LayoutEntry[] = []
  let above = ''
  for (const { old, name, ...slot } of slots) {
    const ownLead = old && old !== entries[0] ? old.lead : `\n${indent}`
    if (!('value' in slot)) {
      above += commentsAbove(ownLead)
      continue
    }
    const entry = old
      ? editor.editEntry(old, slot.value, placeIn(place, indent, old))
      : newEntry(editor, name, slot.value, indent)
    const gap = above + ownLead
    const lead = written.length > 0 ? gap : ''
    if (written.length === 0 && hasComment(gap)) head += gap.trimStart()
    written.push(entry.lead === lead ? entry : { ...entry, lead })
    above = ''
  }
  if (written.length === 0) return replaceBlock(editor, layout, value, place)
  return { ...layout, value, head, entries: written, tail: above + tail }
}

/** A value on one line in place of the entries, so that no comment above them moves, and what comes next has the same place. */
export function replaceBlock(
  editor: EntryEditor,
  layout: TextLayout,
  value: unknown,
  place: TextPosition,
): TextLayout {
  const { head, entries = [] } = layout
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const replaced = isEmpty
    ? { value, open, entries: [], body: '', close }
    : { value, body: editor.syntax.inline(value) }
  const tail = entries.map(({ lead }) => commentsAbove(lead)).join('') + layout.tail
  if (place.of === 'whole') return { ...replaced, head, tail }
  const comments = head.trim()
  if (!comments.includes('\n')) return { ...replaced, head: ' ', tail: (comments && ` ${comments}`) + tail }
  // It has to be further to the right than the name.
  const isInner = lastLine(head).length > place.indent.length
  return { ...replaced, head: isInner ? head : head + editor.unit, tail }
}

/** Entries in lines, in place of empty brackets. Comments beside those stay above the first. */
export function fillBlock(
  editor: EntryEditor,
  { head, tail }: TextLayout,
  slots: readonly EntrySlot[],
  value: unknown,
  { indent: outer, of }: TextPosition,
): TextLayout {
  const isWhole = of === 'whole'
  const beside = /^[ \t]*#[^\n]*/.exec(tail)?.[0] ?? ''
  const isInLine = lastLine(head).trim() === '' && (isWhole || head.includes('\n'))
  const indent = isInLine ? lastLine(head) : isWhole ? '' : outer + editor.unit
  const start = isInLine ? head + beside.trimStart() : head.trimEnd() + beside
  return {
    value,
    head: isInLine && beside === '' ? start : `${start}\n${indent}`,
    entries: slots.map(({ name, value: part }, at) => {
      const entry = newEntry(editor, name, part, indent)
      return at === 0 ? entry : { ...entry, lead: `\n${indent}` }
    }),
    body: '',
    tail: tail.slice(beside.length),
    column: indent.length,
  }
}

function placeIn({ depth }: TextPosition, indent: string, { name, key }: LayoutEntry): TextPosition {
  const column = lastLine(key).length + (key.includes('\n') ? 0 : indent.length)
  return { depth: depth + 1, column, indent, of: name === undefined ? 'item' : 'field' }
}

function newEntry(
  { syntax }: EntryEditor,
  name: string | undefined,
  value: unknown,
  indent: string,
): LayoutEntry {
  const { key, text } = syntax.block?.(name, value, indent) ?? { key: '', text: '' }
  return { name, value, lead: '', key, text, comma: '', beside: '' }
}

import {
  commentsAbove,
  type EntryEditor,
  type EntrySlot,
  gapAfter,
  hasComment,
  isUnclosed,
  type LayoutEntry,
  lastLine,
  type TextLayout,
  type TextPosition,
} from './layout.ts'

/** Changes the entries of a list or object in brackets. */
export function editBrackets(
  editor: EntryEditor,
  layout: TextLayout,
  slots: readonly EntrySlot[],
  value: unknown,
  place: TextPosition,
): TextLayout {
  const { open = '', entries = [], body } = layout
  const [first] = entries
  const last = entries.at(-1)
  const isTall = last ? `${first?.lead}${last.lead}${body}`.includes('\n') : !editor.syntax.block
  // In YAML, what goes on in another line has to be further to the right than the name.
  const isInBlock = place.of === 'item' || place.of === 'field'
  const outer = isInBlock ? place.indent + editor.unit : place.indent
  const firstInLine = entries.find(({ lead }) => lead.includes('\n'))
  const indent = firstInLine ? lastLine(firstInLine.lead) : outer + editor.unit
  const beside = last ? last.text.trimStart() : isTall ? undefined : ''
  const isFilled = !last && slots.length > 0
  // Comments in empty brackets stay above what comes.
  let above = isFilled && hasComment(body) ? body.trimEnd() : ''
  const written: LayoutEntry[] = []
  for (const { old, name, ...slot } of slots) {
    if (!('value' in slot)) {
      above += old ? commentsAbove(old.lead) : ''
      continue
    }
    const isFirst = written.length === 0
    const entry = old
      ? editor.editEntry(old, slot.value, placeIn({ ...place, indent: outer }, old))
      : newEntry(name, slot.value, editor.render(slot.value, indent, beside))
    const begun = isTall ? `\n${indent}` : isFirst ? '' : ' '
    const lead = old ? (isFirst && first && above === '' ? firstLead(first, old) : old.lead) : begun
    written.push(withLead(entry, above + gapAfter(above, lead, indent)))
    above = ''
  }
  const foot = isFilled ? (isTall ? `\n${outer}` : '') : above + gapAfter(above, body, outer)
  const isEmpty = written.length === 0 && !hasComment(open + foot)
  const comma = last?.comma ?? ''
  return {
    ...layout,
    value,
    ...joined(open, written, isEmpty ? '' : foot, { indent, outer, comma }),
  }
}

/** The start of a new first entry is that of the old one. */
function firstLead(first: LayoutEntry, { lead }: LayoutEntry): string {
  return hasComment(lead) || hasComment(first.lead) ? lead : first.lead
}

function placeIn({ depth, indent }: TextPosition, { lead }: LayoutEntry): TextPosition {
  return { depth: depth + 1, column: 0, indent: lead.includes('\n') ? lastLine(lead) : indent }
}

function newEntry(name: string | undefined, value: unknown, text: string): LayoutEntry {
  const entry = { name, value, lead: '', comma: '', beside: '' } as const
  return name === undefined
    ? { ...entry, key: '', text }
    : { ...entry, key: `${JSON.stringify(name)}:`, text: ` ${text}` }
}

function withLead(entry: LayoutEntry, lead: string): LayoutEntry {
  return entry.lead === lead ? entry : { ...entry, lead }
}

/** With commas between the entries, and what follows a comment to the end of a line on another one. */
function joined(
  open: string,
  written: readonly LayoutEntry[],
  foot: string,
  { indent, outer, comma: lastComma }: { indent: string; outer: string; comma: LayoutEntry['comma'] },
): Pick<TextLayout, 'entries' | 'body'> {
  let before = open
  const entries = written.map((entry, at) => {
    const comma = at < written.length - 1 ? ',' : lastComma
    const settled = withComma(withLead(entry, gapAfter(before, entry.lead, indent)), comma)
    before = settled.beside
    return settled
  })
  return { entries, body: gapAfter(before, foot, outer) }
}

function withComma(entry: LayoutEntry, comma: LayoutEntry['comma']): LayoutEntry {
  if (entry.comma === comma) return entry
  const { text, beside } = entry
  const isAfter = comma !== '' && !isUnclosed(beside)
  return isAfter
    ? { ...entry, text: text + beside, layout: undefined, comma, beside: '' }
    : { ...entry, comma }
}

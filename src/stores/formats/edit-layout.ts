import { isObject, isSameJson } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { align } from './align.ts'
import { FormatFault } from './codec.ts'
import { editBlock, fillBlock, replaceBlock } from './edit-block.ts'
import { editBrackets } from './edit-brackets.ts'
import {
  type EntryEditor,
  type EntrySlot,
  gapAfter,
  hasComment,
  type LayoutEntry,
  type Syntax,
  type TextLayout,
  type TextPosition,
  textOf,
  valueOfEntries,
} from './layout.ts'

/** Further to the right than what is around it. */
const FAR = ' '.repeat(40)

const UNFIT =
  'laid out so that this change would lose comments. Make it in the file itself, or keep the rows in a .json file.'

/**
 * Puts another value into a text. What is the same keeps its text, and comments stay, but those beside and in what is
 * removed. Each change is read back, with its neighbors: if a part of a row would not be right, it is written again,
 * without the comments in it. Throws a `FormatFault` if that does not help.
 */
export class LayoutEditor implements EntryEditor {
  readonly syntax: Syntax
  readonly unit: string
  readonly #id: string | undefined
  /** The old layout of each changed part. */
  readonly #before = new Map<TextLayout, TextLayout>()

  /** @param id the field that tells rows apart */
  constructor(syntax: Syntax, text: string, id: string | undefined) {
    this.syntax = syntax
    this.unit = (syntax.block ? /^ {2,8}(?=\S)/m : /^(?:\t| {2,8})(?=\S)/m).exec(text)?.[0] ?? '  '
    this.#id = id
  }

  edit(layout: TextLayout, value: unknown, place: TextPosition): TextLayout {
    if (isSameJson(layout.value, value)) return layout
    // In place of a whole collection, the comments of all of its rows would be lost.
    const isInRow = place.depth > 1 || (place.depth === 1 && !Array.isArray(layout.value))
    for (const edit of isInRow ? [this.#change, this.#replace] : [this.#change]) {
      const edited = attempt(() => edit.call(this, layout, value, place))
      if (!edited || !attempt(() => this.#isReadBack(edited, layout, place))) continue
      this.#before.set(edited, layout)
      return edited
    }
    throw new FormatFault(UNFIT)
  }

  editEntry(old: LayoutEntry, value: unknown, place: TextPosition): LayoutEntry {
    if (isSameJson(old.value, value)) return old
    const layout = this.edit(old.layout ?? this.syntax.split(old.text, place.column), value, place)
    const isKeyKept = old.name === undefined || old.key.endsWith(':')
    const key = isKeyKept ? old.key : `${JSON.stringify(old.name)}:`
    return { ...old, key, value, text: textOf(layout), layout: place.depth === 1 ? layout : undefined }
  }

  render(value: unknown, indent: string, beside = '\n'): string {
    if (!this.syntax.block && typeof value === 'object' && beside.includes('\n'))
      return JSON.stringify(value, null, this.unit).replaceAll('\n', `\n${indent}`)
    const line = this.syntax.inline(value)
    const isTight = /^\s*\{\S/.test(beside) && isObject(value)
    return isTight ? line.replace(/^\{ (.*) \}$/s, '{$1}') : line
  }

  #change(layout: TextLayout, value: unknown, place: TextPosition): TextLayout {
    const slots = this.#slotsOf(layout, value)
    if (!slots) return this.#replace(layout, value, place)
    if (layout.column !== undefined) return editBlock(this, layout, slots, value, place)
    const isEmpty = layout.entries?.length === 0 && !hasComment(`${layout.open}${layout.body}`)
    return isEmpty && place.of !== undefined
      ? fillBlock(this, layout, slots, value, place)
      : editBrackets(this, layout, slots, value, place)
  }

  /** Undefined if the value is no longer of that kind. */
  #slotsOf({ entries, value: old }: TextLayout, value: unknown): readonly EntrySlot[] | undefined {
    if (!entries) return undefined
    if (Array.isArray(old) && Array.isArray(value))
      return align(entries, (entry) => entry.value, value, this.#id)
    if (!isObject(old) || !isObject(value)) return undefined
    // Of a name that is there twice, only the last one counts.
    const lasts = new Map(entries.map((entry) => [entry.name, entry]))
    const present = entries.map((entry): EntrySlot => {
      const { name = '' } = entry
      if (!Object.hasOwn(value, name)) return { old: entry }
      return { old: entry, name, value: lasts.get(name) === entry ? value[name] : entry.value }
    })
    const added = Object.keys(value).filter((name) => !lasts.has(name))
    return [...present, ...added.map((name) => ({ name, value: value[name] }))]
  }

  /** With the comments around the value. */
  #replace(layout: TextLayout, value: unknown, place: TextPosition): TextLayout {
    const { indent, of } = place
    const { head, open = '', entries, body, tail } = layout
    const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    const comments = (head + tail).trim()
    if (this.syntax.block && isFilled && !comments.includes('\n') && (of === 'item' || of === 'field')) {
      const { text } = this.syntax.block(of === 'item' ? undefined : 'x', value, indent)
      return {
        value,
        head: '',
        body: comments === '' ? text : text.replace(/\n|$/, ` ${comments}$&`),
        tail: '',
      }
    }
    if (layout.column !== undefined) return replaceBlock(this, layout, value, place)
    const gap = head === '' && open + body === '' ? ' ' : head
    const written = entries
      ? this.render(value, indent, textOf({ ...layout, head: '', tail: '' }))
      : this.syntax.inline(value, body)
    return { value, head: gap, body: written, tail }
  }

  /** Of what did not change, it is enough to read what is beside the change. */
  #isReadBack(edited: TextLayout, old: TextLayout, place: TextPosition): boolean {
    const { text, value } = this.#digest(edited, old)
    return isSameJson(this.syntax.split(text, place.column).value, value)
  }

  #digest(layout: TextLayout, old: TextLayout): Pick<LayoutEntry, 'text' | 'value'> {
    const { entries, value } = layout
    if (!entries) return { text: textOf(layout), value }
    const known = new Set(old.entries)
    const isChanged = entries.map((entry) => !known.has(entry))
    const near = entries.filter((_, at) => {
      const isAtEnd = at === 0 || at === entries.length - 1
      return isAtEnd || isChanged[at - 1] || isChanged[at] || isChanged[at + 1]
    })
    const parts = near.map((entry, at) => {
      const inner = entry.layout && this.#digest(entry.layout, this.#before.get(entry.layout) ?? entry.layout)
      // Between them may have been the end of a comment's line.
      const lead = gapAfter(near[at - 1]?.beside ?? '', entry.lead, FAR)
      return { ...entry, ...inner, lead }
    })
    return { text: textOf({ ...layout, entries: parts }), value: valueOfEntries(parts, Array.isArray(value)) }
  }
}

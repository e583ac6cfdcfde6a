import { Document, isCollection, type Node } from 'yaml'
import { isSameJson } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { type EntrySlot, type IdNames, idsOf, slotsOf } from './align.ts'
import { changeNode } from './change-yaml-node.ts'
import { FormatFault, UNCHANGEABLE } from './codec.ts'
import { parseYaml } from './parse-yaml.ts'
import {
  splitYaml,
  textOf,
  valueOfEntries,
  type YamlBlock,
  type YamlEntry,
  type YamlPart,
} from './yaml-parts.ts'

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
export const STYLE = { lineWidth: 0, blockQuote: false, doubleQuotedAsJSON: true } as const

/** The holder of a value, and where that begins in its line. */
interface Place {
  readonly of: 'file' | 'item' | 'field'
  readonly column: number
  readonly ids: IdNames | undefined
}

/**
 * Puts another value into a text. Entries that are the same keep theirs, and so do comments, but those in and beside what is
 * removed. Throws a `FormatFault` if that cannot be read back.
 * @param ids the fields that tell rows apart
 */
export function editYaml(part: YamlPart, value: unknown, ids: IdNames | undefined): YamlPart {
  const unit = /^ {2,8}(?=\S)/m.exec(textOf(part))?.[0].length ?? 2
  const editor = new YamlEditor(unit)
  const edited = attempt(() => editor.edit(part, value, { of: 'file', column: 0, ids }))
  const near = edited && changedPart(edited, editor.changed)
  const back = near && attempt(() => splitYaml(textOf(near), 0))
  if (!edited || !isSameJson(back?.value, near?.value)) throw new FormatFault(UNCHANGEABLE)
  return edited
}

class YamlEditor {
  /** Entries with another text, and those behind what was removed. */
  readonly changed = new Set<YamlEntry>()
  readonly #unit: number

  constructor(unit: number) {
    this.#unit = unit
  }

  edit(part: YamlPart, value: unknown, place: Place): YamlPart {
    const { body } = part
    if (isSameJson(part.value, value)) return part
    if (typeof body === 'string') {
      const isEmpty = /^(?:\[\s*\]|\{\s*\})$/.test(body)
      const old = isEmpty ? undefined : parseYaml(body).contents
      return this.#put(part, changeNode(old, value, place.ids), value, place)
    }
    const slots = slotsOf(body.entries, part.value, value, place.ids)
    if (slots?.some((slot) => 'value' in slot)) return this.#editBlock(part, body, slots, value, place.ids)
    const above = body.entries.map(({ lead }) => commentsIn(lead)).join('')
    return this.#put({ ...part, tail: above + part.tail }, changeNode(undefined, value), value, place)
  }

  #editBlock(
    part: YamlPart,
    { entries, column }: YamlBlock,
    slots: readonly EntrySlot<YamlEntry>[],
    value: unknown,
    ids: IdNames | undefined,
  ): YamlPart {
    const line = `\n${' '.repeat(column)}`
    const written: YamlEntry[] = []
    let { head, tail } = part
    let above = ''
    let isBehindGap = false
    for (const { old, name, ...slot } of slots) {
      const lead = above + (old && old !== entries[0] ? old.lead : line)
      above = ''
      if (!('value' in slot)) {
        above = commentsIn(lead)
        isBehindGap = true
        continue
      }
      const isFirst = written.length === 0
      if (isFirst && lead.includes('#')) head += lead.trimStart()
      const entry = old
        ? this.#editEntry(old, slot.value, {
            of: name === undefined ? 'item' : 'field',
            column,
            ids: idsOf(name, ids),
          })
        : this.#newEntry(name, slot.value, column)
      const placed = { ...entry, lead: isFirst ? '' : lead }
      const isOld = entry === old && placed.lead === old.lead && !isBehindGap
      if (!isOld) this.changed.add(placed)
      written.push(isOld ? old : placed)
      isBehindGap = false
    }
    tail = above + tail
    return { value, head, body: { entries: written, column }, tail }
  }

  #editEntry(old: YamlEntry, value: unknown, place: Place): YamlEntry {
    const { column } = place
    if (isSameJson(old.value, value)) return old
    const { name, content } = old
    const isItem = name === undefined
    const key = isItem || old.key.endsWith(':') ? old.key : `${old.key}\n${' '.repeat(column)}:`
    const begin = key.length - key.lastIndexOf('\n') - 1 + (key.includes('\n') ? 0 : column)
    const part = typeof content === 'string' ? splitYaml(content, begin) : content
    const edited = this.edit(part, value, place)
    const text = textOf(edited)
    if (typeof content === 'string') return { ...old, key, value, content: text }
    return { ...old, key, value, content: typeof edited.body === 'string' ? splitYaml(text, begin) : edited }
  }

  #newEntry(name: string | undefined, value: unknown, column: number): YamlEntry {
    const text =
      name === undefined ? this.#write([value], column + 2) : this.#write({ [name]: value }, column)
    const end = name === undefined ? 1 : this.#write({ [name]: 0 }, 0).length - ' 0'.length
    return { name, value, lead: '', key: text.slice(0, end), content: text.slice(end) }
  }

  /** A node in place of a value. Comments of its line stay there, or above it, if it has lines of its own. */
  #put(part: YamlPart, node: Node, value: unknown, { of, column }: Place): YamlPart {
    const { head, tail } = part
    const old = typeof part.body === 'string' ? part.body : ''
    const line = head.slice(head.lastIndexOf('\n') + 1)
    // Whether the value begins a line that is far enough to the right.
    const isAlone = line.trim() === '' && (of === 'file' || (line !== head && line.length > column))
    const indent = isAlone ? line.length : column + (of === 'field' ? this.#unit : 2)
    if (!isCollection(node) || node.flow === true || node.items.length === 0) {
      const body = this.#write([node], column + 2, old).slice('- '.length)
      if (of === 'file' || /\n[ \t]*#/.test(head))
        return { value, head: of === 'file' || isAlone ? head : `${head}  `, body, tail }
      const comment = head.trim()
      return {
        value,
        head: /^ +$/.test(head) ? head : ' ',
        body,
        tail: (comment === '' ? '' : ` ${comment}`) + tail,
      }
    }
    const body = this.#write([node], indent).slice('- '.length)
    const beside = /^[ \t]*#[^\n]*/.exec(tail)?.[0] ?? ''
    const isBesideDash = of === 'item' && !head.includes('#') && beside === ''
    const above = isAlone ? head + beside.trimStart() : head.trimEnd() + beside
    const isBegun = isAlone && beside === ''
    return {
      value,
      head: isBesideDash ? ' ' : isBegun ? head : `${above}\n${' '.repeat(indent)}`,
      body,
      tail: tail.slice(beside.length),
    }
  }

  /** @param indent of lines after the first: of a list, that of its item */
  #write(value: unknown, indent: number, old = ''): string {
    const options = { ...STYLE, indent: this.#unit, flowCollectionPadding: !/^[[{]\S/.test(old) }
    const text = new Document(value).toString(options).replace(/\n$/, '')
    const spaces = `\n${' '.repeat(indent)}`
    return text.replaceAll(Array.isArray(value) ? '\n  ' : /\n(?!\n)/g, spaces)
  }
}

/** Comments of a gap but for those beside what follows: whole lines. */
function commentsIn(lead: string): string {
  return lead.includes('#') ? lead.slice(0, lead.lastIndexOf('\n')).trimEnd() : ''
}

/** The changed entries and their neighbors: enough to be read back. */
function changedPart(part: YamlPart, changed: ReadonlySet<YamlEntry>): YamlPart {
  const { body } = part
  if (typeof body === 'string') return part
  const isChanged = (entry: YamlEntry | undefined) => entry !== undefined && changed.has(entry)
  const near = body.entries.filter((entry, at, all) => {
    const isAtEnd = at === 0 || at === all.length - 1
    return isAtEnd || [all[at - 1], entry, all[at + 1]].some(isChanged)
  })
  const entries = near.map((entry) => {
    if (typeof entry.content === 'string') return entry
    const content = changedPart(entry.content, changed)
    return { ...entry, value: content.value, content }
  })
  return {
    ...part,
    value: valueOfEntries(entries, Array.isArray(part.value)),
    body: { ...body, entries },
  }
}

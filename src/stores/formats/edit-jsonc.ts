import { type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { isObject, isSameJson } from '../../core/kernel/json/values.ts'
import { type EntrySlot, type IdNames, idsOf, type OldEntry, slotsOf } from './align.ts'
import { jsonLine } from './codec.ts'

/** Neither can match in another way if what follows does not fit: there may be commas in it. */
const LINE_COMMENT = '//[^\\n\\r]*(?=[\\n\\r]|$)'
const BLOCK_COMMENT = '/\\*[^*]*(?:\\*(?!/)[^*]*)*\\*/'
const COMMA = new RegExp(`(?:\\s|${LINE_COMMENT}|${BLOCK_COMMENT})*,`, 'y')
/** Comments beside an entry, if no other entry follows in their line. */
const BESIDE = new RegExp(
  `(?:[ \\t]*(?:${LINE_COMMENT}|${BLOCK_COMMENT}))*(?=[ \\t]*(?:[\\n\\r\\]}]|$))`,
  'y',
)

/** An item of a list, or a field of an object. */
interface JsoncEntry extends OldEntry {
  readonly node: Node
  readonly start: number
  /** Of its value. */
  readonly end: number
  /** The place of its comma. */
  readonly comma: number | undefined
  /** After its comma, and the comments beside it. */
  readonly after: number
}

/** Surroundings of a value. */
interface Surroundings {
  /** Of its line. */
  readonly indent: string
  /** Whether each of its entries begins a line. */
  readonly isTall: boolean
  readonly ids: IdNames | undefined
}

/**
 * Puts another value into a text. Comments stay, but those in and beside what is removed.
 * @param ids the fields that tell rows apart
 */
export function editJsonc(text: string, root: Node, value: unknown, ids: IdNames | undefined): string {
  const editor = new JsoncEditor(text)
  editor.set(root, getNodeValue(root), value, { indent: '', isTall: true, ids })
  return join(text, editor.edits)
}

/** The parser's own `applyEdits` copies the text for each edit. */
function join(text: string, edits: readonly Edit[]): string {
  // Where something is removed, an insertion comes first.
  const inOrder = edits.toSorted((a, b) => a.offset - b.offset || a.length - b.length)
  let at = 0
  const parts = inOrder.map(({ offset, length, content }) => {
    const part = text.slice(at, offset) + content
    at = offset + length
    return part
  })
  return parts.join('') + text.slice(at)
}

class JsoncEditor {
  readonly edits: Edit[] = []
  readonly #text: string
  readonly #unit: string

  constructor(text: string) {
    this.#text = text
    this.#unit = /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? '  '
  }

  set(node: Node, old: unknown, value: unknown, around: Surroundings): void {
    if (isSameJson(old, value)) return
    const entries = node.children?.map((child) => this.#entryOf(child))
    const slots = entries && slotsOf(entries, old, value, around.ids)
    if (slots) this.#setEntries(node, entries, slots, around)
    else this.#replace(node.offset, endOf(node), this.#render(value, around.indent, this.#textOf(node)))
  }

  #setEntries(
    node: Node,
    entries: readonly JsoncEntry[],
    slots: readonly EntrySlot<JsoncEntry>[],
    { indent: outer, isTall: isOuterTall, ids }: Surroundings,
  ): void {
    const close = endOf(node) - 1
    const gaps = [...entries, { start: close }].map(({ start }, at) =>
      this.#text.slice(entries[at - 1]?.after ?? node.offset + 1, start),
    )
    const staying = slots.filter((slot) => 'value' in slot)
    if (staying.length === 0 && !gaps.join('').includes('/')) {
      this.#replace(node.offset + 1, close, '')
      return
    }
    const isEmpty = entries.length === 0
    const hasLines = gaps.some((gap) => /[\n\r]/.test(gap))
    const isTall = hasLines || (isEmpty && (isOuterTall || slots.some(({ value }) => isObject(value))))
    const first = gaps.slice(0, -1).find((gap) => gap.includes('\n'))
    const inner = /\n([ \t]*)/.exec(first ?? '')?.[1] ?? outer + this.#unit
    const beside = isEmpty ? (isTall ? '\n' : '') : this.#textOf(entries.at(-1)?.node ?? node)
    const hasEndComma = entries.at(-1)?.comma !== undefined
    const last = staying.at(-1)
    // Comments in brackets without entries stay above what comes.
    let at = staying.some(({ old }) => old)
      ? this.#endOf(BESIDE, node.offset + 1)
      : close - (/\s*$/.exec(gaps.at(-1) ?? '')?.[0].length ?? 0)
    let lead = isTall ? `\n${inner}` : /^\s/.test(gaps[0] ?? '') ? ' ' : ''
    for (const slot of slots) {
      const { old, name, value } = slot
      if (old && !('value' in slot)) {
        this.#remove(old)
        continue
      }
      const hasComma = hasEndComma || slot !== last
      if (old) {
        const indent = isTall ? inner : outer
        this.set(old.node, old.value, value, { indent, isTall, ids: idsOf(name, ids) })
        const place = isTall ? old.end : old.after
        if (hasComma && old.comma === undefined) this.#replace(place, place, ',')
        if (!hasComma && old.comma !== undefined) this.#replace(old.comma, old.comma + 1, '')
        at = old.after
      } else {
        const key = name === undefined ? '' : `${JSON.stringify(name)}: `
        this.#replace(at, at, lead + key + this.#render(value, inner, beside) + (hasComma ? ',' : ''))
      }
      lead = isTall ? `\n${inner}` : ' '
    }
    if (!hasLines && isTall) this.#replace(close, close, `\n${outer}`)
  }

  #remove({ start, after }: JsoncEntry): void {
    const text = this.#text
    let begin = start
    while (/[ \t]/.test(text[begin - 1] ?? '')) begin--
    const end = this.#endOf(/[ \t]*/y, after)
    const isFirst = /[\n\r]/.test(text[begin - 1] ?? '')
    if (isFirst && /[\n\r]/.test(text[end] ?? '')) this.#replace(begin - 1, end, '')
    else if ((isFirst || /[[{]/.test(text[begin - 1] ?? '')) && !/[\]}]/.test(text[end] ?? ''))
      this.#replace(start, end, '')
    else this.#replace(begin, after, '')
  }

  #entryOf(child: Node): JsoncEntry {
    const [key, value = child] = child.type === 'property' ? (child.children ?? []) : []
    const end = endOf(child)
    const comma = this.#endOf(COMMA, end)
    return {
      name: key?.value,
      value: getNodeValue(value),
      node: value,
      start: child.offset,
      end,
      comma: comma > end ? comma - 1 : undefined,
      after: this.#endOf(BESIDE, comma),
    }
  }

  /** In lines, if what is beside it has several. */
  #render(value: unknown, indent: string, beside: string): string {
    const isTall = typeof value === 'object' && beside.includes('\n')
    return isTall ? JSON.stringify(value, null, this.#unit).replaceAll('\n', `\n${indent}`) : jsonLine(value)
  }

  #textOf(node: Node): string {
    return this.#text.slice(node.offset, endOf(node))
  }

  /** Where a pattern ends that begins at a place. */
  #endOf(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    return pattern.test(this.#text) ? pattern.lastIndex : at
  }

  #replace(offset: number, end: number, content: string): void {
    this.edits.push({ offset, length: end - offset, content })
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

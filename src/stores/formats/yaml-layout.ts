import { type Document, isCollection, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml'
import {
  bracketLayout,
  type EntryPlace,
  type LayoutEntry,
  type TextLayout,
  valueOfEntries,
} from './layout.ts'
import { nameOf } from './parse-yaml.ts'

/** @param start of the text in the source: only spaces are before it */
export function yamlLayout(document: Document.Parsed, source: string, start: number): TextLayout {
  const { contents, range } = document
  if (contents === null) return { value: null, head: '', body: '', tail: source.slice(start) }
  // Behind the mark that ends a document, nothing belongs to its entries.
  const end = /^\.\.\.(?:\s|$)/m.test(source) ? range[1] : source.length
  const layout = new YamlText(document, source).layoutOf(contents, start, end, start === 0 && isMap(contents))
  return { ...layout, tail: layout.tail + source.slice(end) }
}

class YamlText {
  readonly #document: Document.Parsed
  readonly #source: string

  constructor(document: Document.Parsed, source: string) {
    this.#document = document
    this.#source = source
  }

  /** @param isDeep whether the values of its fields are taken apart, too */
  layoutOf(node: Node, start: number, end: number, isDeep = false): TextLayout {
    const [open = start, after = start] = node.range ?? []
    const isFlow = isCollection(node) && node.flow === true
    // A pair in a list may be an object without brackets: `[a: 1]`.
    if (!isCollection(node) || (isFlow && !/[[{]/.test(this.#source[open] ?? '')))
      return this.#scalar(node, start, end)
    const dashes = isFlow ? [] : dashesOf(node.srcToken)
    const places = isMap(node)
      ? node.items.map((pair) => this.#member(pair, isDeep))
      : node.items.map((item, at) => this.#item(item, dashes[at]))
    return isFlow
      ? bracketLayout(this.#source, { start, open, close: after - 1, end }, places)
      : this.#block(places, isSeq(node), start, end)
  }

  #scalar(node: Node, start: number, end: number): TextLayout {
    const source = this.#source
    const [from = start, to = start] = node.range ?? []
    const body = source.slice(from, to).replace(/\n$/, '')
    const value = this.#valueOf(node)
    if (body === '') return { value, head: '', body, tail: source.slice(start, end) }
    // The comment of a block of text is behind its sign.
    const comment = /^[|>]\S*([ \t]+#.*)/.exec(body)?.[1] ?? ''
    return {
      value,
      head: source.slice(start, from),
      body,
      tail: comment + source.slice(from + body.length, end),
    }
  }

  /** Each entry goes on to the end of its last line, and over comments below that are further to the right. */
  #block(places: readonly EntryPlace[], isList: boolean, start: number, end: number): TextLayout {
    const source = this.#source
    const first = places[0]?.start ?? start
    const column = first - source.lastIndexOf('\n', first - 1) - 1
    const line = '(?:\\r?\\n[ \\t]*)*\\r?\\n'
    const deeper = new RegExp(`(?:${line} {${column + 1},}#[^\\r\\n]*)*`, 'y')
    const entries: LayoutEntry[] = []
    let at = first
    for (const [index, place] of places.entries()) {
      deeper.lastIndex = endOfContent(source, place.head, places[index + 1]?.start ?? end)
      deeper.test(source)
      entries.push({
        ...place.read(deeper.lastIndex),
        name: place.name,
        lead: source.slice(at, place.start),
        key: source.slice(place.start, place.head),
        text: source.slice(place.head, deeper.lastIndex),
        comma: '',
        beside: '',
      })
      at = deeper.lastIndex
    }
    const value = valueOfEntries(entries, isList)
    return { value, head: source.slice(start, first), entries, body: '', tail: source.slice(at, end), column }
  }

  #item(item: unknown, dash: number | undefined): EntryPlace {
    const [start = 0, end = 0] = isNode(item) ? (item.range ?? []) : []
    const value = this.#valueOf(item)
    const head = dash === undefined ? start : dash + 1
    return { start: dash ?? start, head, end: Math.max(head, end), read: () => ({ value }) }
  }

  #member({ key, value, srcToken }: Pair, isDeep: boolean): EntryPlace {
    const [keyStart = 0, keyEnd = 0] = isNode(key) ? (key.range ?? []) : []
    const question = srcToken?.start.find(({ type }) => type === 'explicit-key-ind')
    const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
    const head = colon ? colon.offset + 1 : keyEnd
    const end = isNode(value) ? (value.range?.[1] ?? head) : head
    const read = (to: number) => {
      const layout = isDeep && isCollection(value) ? this.layoutOf(value, head, to) : undefined
      return { layout, value: layout ? layout.value : this.#valueOf(value) }
    }
    return { name: nameOf(key), start: question?.offset ?? keyStart, head, end: Math.max(head, end), read }
  }

  #valueOf(node: unknown): unknown {
    if (isScalar(node)) return node.value
    return isNode(node) ? node.toJS(this.#document) : null
  }
}

function dashesOf(token: unknown): readonly number[] {
  const { items = [] }: { items?: readonly { start: readonly { type: string; offset: number }[] }[] } =
    Object(token)
  return items.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [])
}

/** The end of the last line with more than a comment; at least of the first. */
function endOfContent(source: string, start: number, before: number): number {
  let end = before
  for (;;) {
    const line = source.lastIndexOf('\n', end - 1)
    if (line < start || !/^\s*(?:#|$)/.test(source.slice(line + 1, end)))
      return source[end - 1] === '\r' ? end - 1 : end
    end = line
  }
}

import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { setField } from '../../core/kernel/json/values.ts'
import type { OldEntry } from './align.ts'
import { nameOf, parseYaml } from './parse-yaml.ts'

/** A value and what is around it: its strings, one after the other, are the text. */
export interface YamlPart {
  readonly value: unknown
  /** White space and comments before the value. */
  readonly head: string
  /** The value as it is written, or, of a list or object without brackets, its entries. */
  readonly body: string | YamlBlock
  readonly tail: string
}

export interface YamlBlock {
  readonly entries: readonly YamlEntry[]
  /** Where their lines begin. */
  readonly column: number
}

/** An item of a list, or a field of an object. */
export interface YamlEntry extends OldEntry {
  /** The end of the line before it, and the comments above it. */
  readonly lead: string
  /** Up to its dash or colon. */
  readonly key: string
  /** Its value, with what is around it, taken apart or not. */
  readonly content: string | YamlPart
}

export function textOf({ head, body, tail }: YamlPart): string {
  if (typeof body === 'string') return head + body + tail
  const entries = body.entries.map(({ lead, key, content }) => {
    return lead + key + (typeof content === 'string' ? content : textOf(content))
  })
  return head + entries.join('') + tail
}

export function valueOfEntries(entries: readonly YamlEntry[], isList: boolean): unknown {
  if (isList) return entries.map(({ value }) => value)
  const object = {}
  for (const { name = '', value } of entries) setField(object, name, value)
  return object
}

/** @param column where the text begins in its line */
export function splitYaml(text: string, column: number): YamlPart {
  // Lines after the first have their indentation.
  const source = ' '.repeat(column) + text
  return partOf(parseYaml(source), source, column)
}

/** The parts of a text: of a whole one, those of the lists in it, too. */
export function partOf(document: Document.Parsed, source: string, start = 0): YamlPart {
  const { contents, range } = document
  if (contents === null) return { value: null, head: '', body: '', tail: source.slice(start) }
  // Behind the mark that ends a document, nothing belongs to its entries.
  const end = /^\.\.\.(?:\s|$)/m.test(source) ? range[1] : source.length
  const part = new Splitter(document, source).split(contents, start, end, start === 0 && isMap(contents))
  return { ...part, tail: part.tail + source.slice(end) }
}

interface EntryPlace {
  readonly name?: string
  readonly node: unknown
  readonly start: number
  /** The end of its dash or colon. */
  readonly keyEnd: number
}

class Splitter {
  readonly #document: Document.Parsed
  readonly #source: string

  constructor(document: Document.Parsed, source: string) {
    this.#document = document
    this.#source = source
  }

  /** @param isDeep whether the values of its entries are taken apart, too */
  split(node: Node, start: number, end: number, isDeep: boolean): YamlPart {
    const source = this.#source
    const [from = start, to = start] = node.range ?? []
    if (isCollection(node) && node.flow !== true) return this.#splitBlock(node, start, end, isDeep)
    const body = source.slice(from, to).replace(/\n$/, '')
    // Of what is written as nothing, the comments are beside it.
    const at = body === '' ? start : from
    return {
      value: this.#valueOf(node),
      head: source.slice(start, at),
      body,
      tail: source.slice(at + body.length, end),
    }
  }

  #splitBlock(node: YAMLMap | YAMLSeq, start: number, end: number, isDeep: boolean): YamlPart {
    const source = this.#source
    const places = isMap(node) ? node.items.map(placeOfPair) : placesOfItems(node)
    const first = places[0]?.start ?? start
    const column = first - source.lastIndexOf('\n', first - 1) - 1
    let at = first
    const entries = places.map((place, index): YamlEntry => {
      const after = endOfEntry(source, place.keyEnd, places[index + 1]?.start ?? end, column)
      const isTakenApart = isDeep && isCollection(place.node)
      const part = isTakenApart ? this.split(place.node, place.keyEnd, after, false) : undefined
      const entry = {
        name: place.name,
        value: part ? part.value : this.#valueOf(place.node),
        lead: source.slice(at, place.start),
        key: source.slice(place.start, place.keyEnd),
        content: part ?? source.slice(place.keyEnd, after),
      }
      at = after
      return entry
    })
    const value = valueOfEntries(entries, !isMap(node))
    return { value, head: source.slice(start, first), body: { entries, column }, tail: source.slice(at, end) }
  }

  #valueOf(node: unknown): unknown {
    if (isScalar(node)) return node.value
    return isNode(node) ? node.toJS(this.#document) : null
  }
}

function placeOfPair({ key, value, srcToken }: Pair): EntryPlace {
  const [keyStart = 0, keyEnd = 0] = isNode(key) ? (key.range ?? []) : []
  const question = srcToken?.start.find(({ type }) => type === 'explicit-key-ind')
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  const start = question?.offset ?? keyStart
  return { name: nameOf(key), node: value, start, keyEnd: colon ? colon.offset + 1 : keyEnd }
}

function placesOfItems({ items, srcToken }: YAMLSeq): EntryPlace[] {
  const tokens = srcToken && 'items' in srcToken ? srcToken.items : []
  const dashes = tokens.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind') ?? [])
  return items.flatMap((node, at) => {
    const start = dashes[at]?.offset
    return start === undefined ? [] : { node, start, keyEnd: start + 1 }
  })
}

/** The end of its last line with more than a comment, and of comments below it that are further to the right. */
function endOfEntry(source: string, start: number, before: number, column: number): number {
  let end = before
  for (;;) {
    const line = source.lastIndexOf('\n', end - 1)
    if (line < start || !/^\s*(?:#|$)/.test(source.slice(line + 1, end))) break
    end = line
  }
  if (source[end - 1] === '\r') end--
  const deeper = new RegExp(`(?:(?:\\r?\\n[ \\t]*)*\\r?\\n {${column + 1},}#[^\\r\\n]*)*`, 'y')
  deeper.lastIndex = end
  return deeper.test(source) && deeper.lastIndex <= before ? deeper.lastIndex : end
}

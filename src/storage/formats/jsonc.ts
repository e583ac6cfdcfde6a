import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'
import { attempt } from '../../util/attempt.ts'
import { type Codec, FormatFault, placeAt, type Reading, withoutMarks } from './codec.ts'
import { type Dialect, jsonLine, plainValue, type TextEntry, type TextNode } from './commented-text.ts'
import { rewriteText } from './rewrite-text.ts'

/** JSON with comments and trailing commas. */
export const jsonc: Codec = {
  read(marked): Reading {
    return { value: treeOf(withoutMarks(marked))?.value }
  },

  write: (value, before, id) => rewriteText(before, value, DIALECT, id),
}

const DIALECT: Dialect = {
  rootOf: treeOf,
  read: (text) => parse(text)?.value,
  whole: (value) => `${JSON.stringify(value, null, 2)}\n`,
  fillsInLines: true,
  lineComment: '//[^\\r\\n]*',
  blockComment: '/\\*[^*]*(?:\\*(?!/)[^*]*)*\\*/',
  inline: jsonLine,
  tall: (value, unit) => JSON.stringify(value, null, unit),
  block: () => '',
}

/** What was read or written last is nearly always changed next. */
let last: { readonly text: string; readonly root: TextNode | undefined } | undefined

function treeOf(text: string): TextNode | undefined {
  if (last?.text !== text) last = { text, root: parse(text) }
  return last.root
}

interface OpenContainer {
  readonly start: number
  readonly isList: boolean
  readonly isSkipped: boolean
  readonly entries: TextEntry[]
  /** That is being read. */
  member?: { readonly name: string; readonly start: number }
}

/** @param base where the text begins, in a longer one */
function parse(text: string, base = 0): TextNode | undefined {
  const top: OpenContainer = { start: 0, isList: true, isSkipped: false, entries: [] }
  const stack = [top]
  const add = (node: TextNode) => {
    const { entries, member } = stack.at(-1) ?? top
    entries.push({ start: node.start, ...member, node })
  }
  const begin = (isList: boolean) => (start: number) => {
    const isInList = stack.length > 1 && stack.at(-1)?.isList === true
    const isSkipped = isInList || stack.length > 2
    stack.push({ start, isList, isSkipped, entries: [] })
    return !isSkipped
  }
  const end = (offset: number, length: number) => {
    const { start, isList, isSkipped, entries } = stack.pop() ?? top
    const place = { start: base + start, end: base + offset + length }
    if (isSkipped) add(lazyNode(text.slice(start, offset + length), place))
    else add({ ...place, entries, value: plainValue(entries, isList) })
  }
  const visitor: JSONVisitor = {
    onObjectBegin: begin(false),
    onArrayBegin: begin(true),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name, offset) {
      const container = stack.at(-1)
      if (container) container.member = { name, start: base + offset }
    },
    onLiteralValue: (value, offset, length) =>
      add({ start: base + offset, end: base + offset + length, value }),
    onError(error, offset) {
      const what = printParseErrorCode(error)
        .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
        .toLowerCase()
      throw new FormatFault(
        `not valid JSON with comments: ${what} at ${placeAt(text, offset)}. Correct it there.`,
      )
    },
  }
  visit(text, visitor, { allowTrailingComma: true, allowEmptyContent: true })
  return top.entries[0]?.node
}

/** A row, or what is deeper: what is in it is found when it changes, since nearly all rows stay as they are. */
function lazyNode(text: string, place: { readonly start: number; readonly end: number }): TextNode {
  let entries: TextNode['entries']
  return {
    ...place,
    value: readValue(text),
    get entries() {
      entries ??= parse(text, place.start)?.entries
      return entries
    },
  }
}

/** Most rows are plain JSON, which is read much faster. */
function readValue(text: string): unknown {
  return attempt(() => JSON.parse(text)) ?? parse(text)?.value
}

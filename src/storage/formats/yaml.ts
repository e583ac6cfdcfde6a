import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  stringify,
  visit,
} from 'yaml'
import { isSameJson } from '../../json/values.ts'
import { type Codec, FormatFault, keepingMarks, type Reading, withoutByteMark } from './codec.ts'
import { jsonLine, plainValue } from './jsonc.ts'
import { type Dialect, rewriteText, type TextEntry, type TextNode } from './text-tree.ts'

export const yaml: Codec = {
  read(marked): Reading {
    const { contents, unsaved, toValue } = parse(withoutByteMark(marked))
    return { value: contents === null ? undefined : toValue(), unsaved }
  },

  write(value, before) {
    return keepingMarks(before, (text) => {
      const root = treeOf(text)
      if (!root) return `${text}${stringify(value, STYLE)}`
      const written = rewriteText(text, root, value, DIALECT)
      return isReadBack(written, value) ? written : stringify(value, STYLE)
    })
  },
}

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
const STYLE = { lineWidth: 0, blockQuote: false } as const

const DIALECT: Dialect = {
  comment: '(?<=^|[\\s,[\\]{}])#[^\\n]*',
  inline(value, old = '') {
    if (typeof value !== 'string') return jsonLine(value)
    if (old.startsWith("'") && /^[^\n\r\t]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
    return /^[A-Za-z][\w ]*$/.test(value) && !old.startsWith('"')
      ? stringify(value, STYLE).trimEnd()
      : JSON.stringify(value)
  },
  tall: jsonLine,
  name: (name) => `${JSON.stringify(name)}: `,
  block(name, value, indent) {
    const text = stringify(name === undefined ? [value] : { [name]: value }, STYLE).trimEnd()
    return text.replaceAll('\n', `\n${indent}`)
  },
}

function parse(text: string) {
  const document = parseDocument(text, {
    keepSourceTokens: true,
    logLevel: 'silent',
    uniqueKeys: false,
    merge: true,
  })
  const [error] = document.errors
  if (error) {
    const [place] = error.linePos ?? []
    const where = place ? ` at line ${place.line}, column ${place.col}` : ''
    const what = error.message
      .split('\n', 1)[0]
      ?.replace(/:$/, '')
      .replace(/ at line \d+, column \d+$/, '')
    throw new FormatFault(`not valid YAML: ${what}${where}. Correct it there.`)
  }
  const toValue = (): unknown => JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 1000 })))
  return { contents: document.contents, unsaved: unsavedBecause(document.contents), toValue }
}

/** Anchors and tags say more than values do: an edit of the values alone could change what they mean. */
function unsavedBecause(contents: ParsedNode | null): string | undefined {
  let reason: string | undefined
  visit(contents, (_, node) => {
    if (isAlias(node) || has(node, 'anchor')) reason = 'it has anchors'
    else if (has(node, 'tag')) reason = 'it has tags'
    else if (isMap(node) && node.items.some(({ key }) => !isScalar(key)))
      reason = 'it has lists or objects as keys'
    return reason === undefined ? undefined : visit.BREAK
  })
  return reason
}

function has(node: unknown, property: 'anchor' | 'tag'): boolean {
  return typeof Reflect.get(Object(node), property) === 'string'
}

/** Of the text that was written last, which is nearly always the next to be changed: parsing takes long. */
let last: { readonly text: string; readonly root: TextNode | undefined } | undefined

function treeOf(text: string): TextNode | undefined {
  if (last?.text !== text) {
    const { contents } = parse(text)
    last = { text, root: contents === null ? undefined : nodeOf(text, contents) }
  }
  return last.root
}

function nodeOf(text: string, node: Node | null | undefined): TextNode {
  const [start = 0, end = 0] = node?.range ?? []
  if (isMap(node) || isSeq(node)) {
    const isBlock = node.flow !== true
    const entries = isMap(node)
      ? node.items.map((pair): TextEntry => {
          const key = pair.key as Node
          const value = nodeOf(text, pair.value as Node | null)
          return { name: String(isScalar(key) ? key.value : ''), start: key.range?.[0] ?? 0, node: value }
        })
      : node.items.map((item): TextEntry => {
          const inner = nodeOf(text, item as Node)
          return { start: isBlock ? text.lastIndexOf('-', inner.start - 1) : inner.start, node: inner }
        })
    const last = entries.at(-1)
    const blockEnd = last ? endOf(text, last.node) : end
    return {
      start: isBlock ? (entries[0]?.start ?? start) : start,
      end: isBlock ? blockEnd : end,
      entries,
      isBlock,
      value: plainValue(entries, !isMap(node)),
    }
  }
  const value: unknown = isScalar(node) ? node.value : null
  return {
    start,
    end: text[end - 1] === '\n' ? end - 1 : end,
    value: typeof value === 'number' && !Number.isFinite(value) ? null : value,
  }
}

/** With a comment on the same line. */
function endOf(text: string, { end, isBlock }: TextNode): number {
  if (isBlock) return end
  const rest = /^[ \t]+#[^\n]*/.exec(
    text.slice(end, text.indexOf('\n', end) === -1 ? undefined : text.indexOf('\n', end)),
  )
  return end + (rest?.[0].length ?? 0)
}

function isReadBack(text: string, value: unknown): boolean {
  try {
    return isSameJson(treeOf(text)?.value, value)
  } catch {
    return false
  }
}

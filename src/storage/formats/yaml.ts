import { stringify } from 'yaml'
import { attempt } from '../../util/attempt.ts'
import { type Codec, type Reading, withoutMarks } from './codec.ts'
import { type Dialect, jsonLine, type TextEntry, type TextNode } from './commented-text.ts'
import { rewriteText } from './rewrite-text.ts'
import { blockOf, parseYaml, type YamlTree } from './yaml-tree.ts'

export const yaml: Codec = {
  read(marked): Reading {
    const { root, unsaved, value } = treeOf(withoutMarks(marked))
    return { value: root && value(), unsaved }
  },

  write: (value, before, id) => rewriteText(before, value, DIALECT, id),
}

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
const STYLE = { lineWidth: 0, blockQuote: false } as const

const DIALECT: Dialect = {
  rootOf: (text) => treeOf(text).root,
  read: (text) => parseYaml(text).root?.value,
  whole: (value) => stringify(value, STYLE),
  fillsInLines: false,
  lineComment: '(?<=^|[\\s,[\\]{}])#[^\\n]*',
  inline(value, old = '') {
    if (typeof value !== 'string') return jsonLine(value)
    if (old.startsWith("'") && /^[^\n\r\t]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
    return /^[A-Za-z][\w ]*$/.test(value) && !old.startsWith('"') ? linesOf(value) : JSON.stringify(value)
  },
  tall: jsonLine,
  block(name, value, indent) {
    return linesOf(name === undefined ? [value] : { [name]: value }).replaceAll('\n', `\n${indent}`)
  },
}

/** Without the end of the last one. A value may end in white space of other kinds. */
function linesOf(value: unknown): string {
  return stringify(value, STYLE).replace(/\n$/, '')
}

/** A row, or a field of the whole: lines that mean the same without the others. Places count from its own start. */
interface Part extends TextEntry {
  readonly hasEntries: boolean
}

/**
 * Of the texts that were read or written last, by their own text. Parsing takes a second per megabyte: only what changed
 * is parsed again.
 */
let recent: readonly ReadonlyMap<string, Part>[] = []
const MOST_TEXTS = 4

/** Part by part, where lines show what the parts are. */
export function treeOf(text: string): YamlTree {
  const sections = sectionsOf(text)
  const root = sections && readSections(text, sections)
  return root ? { root, unsaved: undefined, value: () => root.value } : parseYaml(text)
}

/** Undefined if a part needs the others, as one with an anchor does. */
function readSections(text: string, sections: readonly Section[]): TextNode | undefined {
  const parts = new Map<string, Part>()
  const fields: TextEntry[] = []
  let list: TextNode | undefined
  for (const [at, { start, rows, isNamed }] of sections.entries()) {
    const end = sections[at + 1]?.start ?? text.length
    const starts = isNamed ? [start, ...rows] : rows
    const entries = readEntries(text, [...starts, end], parts)
    if (!entries) return undefined
    list = entries.length > 1 || !isNamed ? blockOf(text, entries.slice(isNamed ? 1 : 0), true) : undefined
    const [field] = isNamed ? entries : []
    if (field) fields.push(list ? { ...field, node: list } : field)
  }
  recent = [parts, ...recent].slice(0, MOST_TEXTS)
  return fields.length > 0 ? blockOf(text, fields, false) : list
}

/** @param places where they begin, and where the last one ends */
function readEntries(
  text: string,
  places: readonly number[],
  parts: Map<string, Part>,
): TextEntry[] | undefined {
  const entries: TextEntry[] = []
  for (const [at, end] of places.entries()) {
    const start = places[at - 1]
    if (start === undefined) continue
    const lines = text.slice(start, end)
    const part = parts.get(lines) ?? recent.find((each) => each.has(lines))?.get(lines) ?? readPart(lines)
    if (!part) return undefined
    parts.set(lines, part)
    entries.push(entryAt(start, part, lines))
  }
  return entries
}

function readPart(lines: string): Part | undefined {
  const entry = parsePart(lines)
  if (!entry) return undefined
  const { entries, ...node } = entry.node
  return { ...entry, node, hasEntries: entries !== undefined }
}

function parsePart(lines: string, base = 0): TextEntry | undefined {
  const { root, unsaved } = attempt(() => parseYaml(lines, base)) ?? {}
  const entries = root?.isBlock && unsaved === undefined ? root.entries : undefined
  return entries?.length === 1 ? entries[0] : undefined
}

/** What is in it is found when it changes: nearly all parts stay as they are. */
function entryAt(base: number, { hasEntries, ...entry }: Part, lines: string): TextEntry {
  const { start, head = start, node } = entry
  const placed = { ...node, start: base + node.start, end: base + node.end }
  let entries: TextNode['entries']
  const lazy = {
    ...placed,
    get entries() {
      entries ??= parsePart(lines, base)?.node.entries
      return entries
    },
  }
  return { ...entry, start: base + start, head: base + head, node: hasEntries ? lazy : placed }
}

/** A list, or a field with its name, which may hold one. */
interface Section {
  readonly start: number
  readonly isNamed: boolean
  /** Where the lines with the dashes begin, and their column. */
  readonly rows: number[]
  column?: number
  /** Whether a list may follow. */
  isOpen: boolean
}

/** A name, and whether anything but a comment follows in its line. */
const FIELD = /(?:[A-Za-z_$][\w$-]*|"[^"\\\n]*"|'[^'\n]*'):(?:[ \t]*(?:#.*)?(\n|$)|(?=[ \t]))/y
const DOCUMENT_START = /---[ \t]*(?:#.*)?(?:\n|$)/y

/**
 * What a text consists of, by the columns of its lines: fields of an object, and the rows of lists in them, or of one
 * list. Undefined if it takes a parser to tell, or nothing is in it.
 */
function sectionsOf(text: string): readonly Section[] | undefined {
  const sections: Section[] = []
  for (let start = 0, next = 0; start < text.length; start = next) {
    next = text.indexOf('\n', start) + 1 || text.length
    let at = start
    while (text[at] === ' ') at++
    const first = text[at]
    if (first === '\n' || first === '#' || first === undefined) continue
    const column = at - start
    const section = sections.at(-1)
    const isRow = first === '-' && /\s/.test(text[at + 1] ?? ' ')
    if (isRow && !section) sections.push({ start, isNamed: false, rows: [start], column, isOpen: false })
    else if (section && isRow && (section.column === column || section.isOpen)) {
      section.rows.push(start)
      section.column = column
      section.isOpen = false
    } else if (column === 0 && section?.isNamed !== false) {
      const field = matchAt(FIELD, text, start)
      if (field) sections.push({ start, isNamed: true, rows: [], isOpen: field[1] !== undefined })
      else if (section || !matchAt(DOCUMENT_START, text, start)) return undefined
    } else {
      if (!section || column <= (section.column ?? 0)) return undefined
      section.isOpen = false
    }
  }
  return sections.length > 0 ? sections : undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

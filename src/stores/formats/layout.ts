import { setField } from '../../core/kernel/json/values.ts'
import type { Slot } from './align.ts'

/** A text that holds one value, taken apart: its strings, one after the other, are the text. */
export interface TextLayout {
  readonly value: unknown
  /** White space and comments before the value. */
  readonly head: string
  /** The bracket of a list or object, with comments beside it. */
  readonly open?: string | undefined
  /** Of a list or object. Without them, the value is only replaced as a whole. */
  readonly entries?: readonly LayoutEntry[] | undefined
  /** The value as it is written or, of a list or object, white space and comments after the last entry. */
  readonly body: string
  readonly close?: string | undefined
  /** White space and comments after the value. */
  readonly tail: string
  /** Of YAML without brackets: each entry begins a line, at this column. */
  readonly column?: number | undefined
}

/** An item of a list, or a field of an object. */
export interface LayoutEntry {
  /** Undefined in a list. */
  readonly name?: string | undefined
  readonly value: unknown
  /** White space and comments above it. */
  readonly lead: string
  /** Up to its colon or dash. */
  readonly key: string
  /** The text of its value, up to its comma. */
  readonly text: string
  readonly comma: '' | ','
  /** Comments after its comma, in the same line. */
  readonly beside: string
  /** Of its text, if that was taken apart. */
  readonly layout?: TextLayout | undefined
}

export function textOf({ head, open = '', entries = [], body, close = '', tail }: TextLayout): string {
  const texts = entries.map(({ lead, key, text, comma, beside }) => lead + key + text + comma + beside)
  return head + open + texts.join('') + body + close + tail
}

export function valueOfEntries(entries: readonly LayoutEntry[], isList: boolean): unknown {
  if (isList) return entries.map(({ value }) => value)
  const object = {}
  for (const { name = '', value } of entries) setField(object, name, value)
  return object
}

const LINE_COMMENT = '(?://|#)[^\\n]*'
/** Cannot match in another way if what follows does not fit. */
const BLOCK_COMMENT = '/\\*[^*]*(?:\\*(?!/)[^*]*)*\\*/'
const CLOSED_COMMENT = `${LINE_COMMENT}(?=\\n)|${BLOCK_COMMENT}`
const COMMENT = new RegExp(`${LINE_COMMENT}|${BLOCK_COMMENT}`)
const BLOCK_COMMENTS = new RegExp(BLOCK_COMMENT, 'g')
const UP_TO_COMMA = new RegExp(`^(?:[^,/#]|${CLOSED_COMMENT})*(?=,)`)
const BESIDE = new RegExp(`^(?:[ \\t]*(?:${LINE_COMMENT}|${BLOCK_COMMENT}))*`)
const REST_OF_LINE = new RegExp(`^[ \\t]*(?:(?:${CLOSED_COMMENT})[ \\t]*)+(?=\\r?\\n)`)
const WHOLE_LINES = new RegExp(`^(?:(?:[ \\t\\r]|${CLOSED_COMMENT})*\\n)*`)

/** @param gap text between values: white space, commas and comments */
export function hasComment(gap: string): boolean {
  return COMMENT.test(gap)
}

/** Comments of a gap but for those in its last line, which are beside what follows. */
export function commentsAbove(gap: string): string {
  const lines = WHOLE_LINES.exec(gap)?.[0] ?? ''
  return hasComment(lines) ? lines.trimEnd() : ''
}

/** Whether the text after it, unless on another line, would be part of its last comment. */
export function isUnclosed(gap: string): boolean {
  return /(?:\/\/|#)[^\n]*$/.test(gap.replace(BLOCK_COMMENTS, ''))
}

/** A gap as it has to be written after another one. */
export function gapAfter(before: string, gap: string, indent: string): string {
  return isUnclosed(before) && !/^[ \t\r]*\n/.test(gap) ? `\n${indent}${gap.trimStart()}` : gap
}

export function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}

/** Where an entry is in a text. */
export interface EntryPlace {
  readonly name?: string | undefined
  readonly start: number
  /** The end of its colon or dash. */
  readonly head: number
  /** The end of its value. */
  readonly end: number
  /** Reads the value, and its layout up to this end if the value has parts. */
  readonly read: (end: number) => Pick<LayoutEntry, 'value' | 'layout'>
}

/** A list or object between the brackets at `open` and `close`, in the text from `start` to `end`. */
export function bracketLayout(
  source: string,
  { start, open, close, end }: Readonly<Record<'start' | 'open' | 'close' | 'end', number>>,
  places: readonly EntryPlace[],
): TextLayout {
  const opening = REST_OF_LINE.exec(source.slice(open + 1, places[0]?.start ?? close))?.[0] ?? ''
  const entries: LayoutEntry[] = []
  let lead = source.slice(open + 1 + opening.length, places[0]?.start ?? close)
  for (const [at, place] of places.entries()) {
    const next = places[at + 1]
    const gap = source.slice(place.end, next?.start ?? close)
    const before = UP_TO_COMMA.exec(gap)?.[0]
    const after = before === undefined ? gap : gap.slice(before.length + 1)
    const beside = (next ? REST_OF_LINE : BESIDE).exec(after)?.[0] ?? ''
    const textEnd = place.end + (before?.length ?? 0)
    entries.push({
      ...place.read(textEnd),
      name: place.name,
      lead,
      key: source.slice(place.start, place.head),
      text: source.slice(place.head, textEnd),
      comma: before === undefined ? '' : ',',
      beside,
    })
    lead = after.slice(beside.length)
  }
  const isList = source[open] === '['
  return {
    value: valueOfEntries(entries, isList),
    head: source.slice(start, open),
    open: `${source[open]}${opening}`,
    entries,
    body: lead,
    close: isList ? ']' : '}',
    tail: source.slice(close + 1, end),
  }
}

/** How a format takes a text apart, and writes new values. */
export interface Syntax {
  /** @param column where the text begins in its line */
  split(text: string, column: number): TextLayout
  /** A value on one line. @param old the text that it replaces */
  inline(value: unknown, old?: string): string
  /** In YAML, an entry without brackets, whose further lines begin with the indentation. */
  readonly block?: (
    name: string | undefined,
    value: unknown,
    indent: string,
  ) => Pick<LayoutEntry, 'key' | 'text'>
}

/** Where a text is in a longer one. */
export interface TextPosition {
  /** 0 for the whole. */
  readonly depth: number
  readonly column: number
  /** Of the line around it. */
  readonly indent: string
  /** The holder of the value, in YAML without brackets. */
  readonly of?: 'whole' | 'item' | 'field' | undefined
}

/** An entry that stays, goes (without a value) or comes. */
export type EntrySlot = Slot<LayoutEntry> & { readonly name?: string | undefined }

/** Changes one entry of several. */
export interface EntryEditor {
  readonly syntax: Syntax
  /** The white space of one level of indentation. */
  readonly unit: string
  editEntry(old: LayoutEntry, value: unknown, place: TextPosition): LayoutEntry
  /** On one line if what is beside it is; else in several, but for YAML, with the indentation. */
  render(value: unknown, indent: string, beside?: string): string
}

import { placeAt } from '../../core/kernel/json/text-place.ts'
import { shorten } from '../../core/kernel/util/shorten.ts'
import type { IdNames } from './align.ts'
import type { CsvLineStyle } from './csv-cells.ts'

/** A format of data files besides JSON. Pure, so that it can run in a thread. */
export interface Codec {
  /** Throws a `FormatFault`. */
  read(text: string): DecodedFile
  /**
   * The text with another value. What is the same stays as it is. Throws a `FormatFault` if it cannot hold that.
   * @param ids the fields that tell rows apart
   */
  write(value: unknown, before: string, ids?: IdNames): string
  /** Of CSV, for rows that are appended. */
  lineStyle?(text: string): CsvLineStyle | undefined
}

export interface DecodedFile {
  /** As plain JSON; undefined if there is nothing in the text. */
  readonly value: unknown
  /** Why it cannot be written back as it was. */
  readonly unsaved?: string | undefined
  /** A name that one object has twice, and where: the last one counts. */
  readonly repeated?: string | undefined
  /** How many characters are good, if the rest was cut short by a crash. */
  readonly wholeUpTo?: number | undefined
  /** Of CSV, for rows that are appended. */
  readonly lineStyle?: CsvLineStyle | undefined
}

/** Levels of nesting in a file: beyond any real one, and what the stacks of parsers and of `JSON.stringify` hold. */
export const MOST_LEVELS = 1000

/** The fault of a text: continues a sentence after the name of its file. */
export class FormatFault extends Error {
  override readonly name = 'FormatFault'
}

/** The fault of a text whose comments, as they are, are in the way. */
export const UNCHANGEABLE =
  'laid out so that this change would lose comments. Make it in the file itself, or keep the rows in a .json file.'

export function repetition(text: string, name: string, at: number): string {
  return `"${shorten(name)}" (${placeAt(text, at)})`
}

/** Edits text with `\n` only, and puts byte order mark and line endings back. */
export function keepingMarks(before: string, edit: (text: string) => string): string {
  const edited = edit(withoutMarks(before))
  return byteMarkOf(before) + (hasWindowsLines(before) ? edited.replaceAll('\n', '\r\n') : edited)
}

/** A text to append lines to. */
export function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Without a byte order mark, and with `\n` at the end of lines, unless they end in both ways. */
export function withoutMarks(marked: string): string {
  const text = withoutMark(marked)
  return hasWindowsLines(text) ? text.replaceAll('\r\n', '\n') : text
}

/** Some editors on Windows start files with a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

export function byteMarkOf(text: string): string {
  return text.slice(0, text.length - withoutMark(text).length)
}

function hasWindowsLines(text: string): boolean {
  return /\r\n/.test(text) && !/(?<!\r)\n/.test(text)
}

/** `{ "id": 1, "tags": ["a"] }` */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${jsonLine(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

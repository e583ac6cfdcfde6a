import { setField } from '../../json/values.ts'
import type { Slot } from './align.ts'

/** A value, and where it is in a text. */
export interface TextNode {
  readonly value: unknown
  readonly start: number
  readonly end: number
  /** Of a list or an object. Without them, it is only replaced as a whole. */
  readonly entries?: readonly TextEntry[] | undefined
  /** Without brackets, as in YAML: each entry begins a line, at one column. */
  readonly isBlock?: boolean | undefined
}

export interface TextEntry {
  /** Undefined in a list. */
  readonly name?: string | undefined
  readonly start: number
  /** Where its colon or dash ends. In brackets, it is not needed. */
  readonly head?: number | undefined
  readonly node: TextNode
}

/** An entry that stays, goes or comes. */
export type EntrySlot = Slot<TextEntry> & { readonly name?: string | undefined }

/** How a format writes what is new. */
export interface Dialect {
  /** Matches a comment that goes to the end of its line. */
  readonly lineComment: string
  /** Matches one that ends before. It must not match in another way, if what follows does not fit. */
  readonly blockComment?: string
  /** A value on one line. @param old the text that it replaces */
  inline(value: unknown, old?: string): string
  /** A value in brackets, indented by `unit`. */
  tall(value: unknown, unit: string): string
  name(name: string): string
  /** A new entry of a container without brackets. Empty if there are none. */
  block(name: string | undefined, value: unknown, indent: string): string
  /** The value of a text that stands for itself. */
  read(text: string): unknown
}

/** What entries are together. */
export function plainValue(entries: readonly TextEntry[], isList: boolean): unknown {
  if (isList) return entries.map(({ node }) => node.value)
  const object = {}
  for (const { name = '', node } of entries) setField(object, name, node.value)
  return object
}

/** `{ "id": 1, "tags": ["a"] }` */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${jsonLine(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

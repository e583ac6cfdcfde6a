import { isObject, setField } from '../../core/kernel/json/values.ts'
import type { Frame } from '../../core/router/read.ts'
import { isWord, PER_FIELD, type ShapeWord } from './words.ts'

/** Any JSON in which `"$total"` stands for a value, also as a key, and `"{$id}"` for a value as text. */
export type Template = unknown

export type WordValues = { readonly [W in ShapeWord]?: unknown }

export type Fill = (values: WordValues) => unknown

/**
 * A function that fills in a template: no part of it is read again later.
 * @param mayRepeat whether a list in it may be repeated: below one that is, others are not
 */
export function compile(template: Template, mayRepeat = true): Fill {
  if (typeof template === 'string') return compileText(template)
  if (Array.isArray(template)) return compileList(template, mayRepeat)
  if (!isObject(template)) return () => template
  const parts = Object.entries(template).map(([key, value]) => ({
    key,
    word: wordIn(key),
    fill: compile(value, mayRepeat),
  }))
  return (values) => {
    const filled = {}
    for (const { key, word, fill } of parts) {
      setField(filled, word ? String(values[word]) : key, fill(values))
    }
    return filled
  }
}

function compileText(text: string): Fill {
  const word = wordIn(text)
  if (word) return (values) => values[word]
  if (!IN_TEXT.test(text)) return () => text
  const only = wordIn(text.slice(1, -1))
  if (only && text === `{$${only}}`) return (values) => String(values[only] ?? '')
  return (values) =>
    text.replace(ALL_IN_TEXT, (whole, name) => (isWord(name) ? String(values[name] ?? '') : whole))
}

function compileList(list: readonly Template[], mayRepeat: boolean): Fill {
  const isRepeated = mayRepeat && isPerField(list)
  const fills = list.map((part) => compile(part, mayRepeat && !isRepeated))
  if (!isRepeated) return (values) => fills.map((fill) => fill(values))
  return (values) =>
    Object.entries(Object(values.errors)).flatMap(([field, problem]) => {
      const pointer = field.replaceAll('.', '/')
      return fills.map((fill) => fill({ ...values, field, pointer, problem }))
    })
}

function isPerField(list: readonly Template[]): boolean {
  return list.length === 1 && wordsIn(list[0]).some((word) => PER_FIELD.includes(word))
}

/** `$total` */
export function wordIn(text: string): ShapeWord | undefined {
  const name = text.slice(1)
  return text.startsWith('$') && isWord(name) ? name : undefined
}

const IN_TEXT = /\{\$\w+\}/
const ALL_IN_TEXT = /\{\$(\w+)\}/g

/** Whatever looks like a word, known or not. */
export function namesIn(template: Template): readonly string[] {
  if (typeof template === 'string') {
    const exact = /^\$(\w+)$/.exec(template)
    return exact ? [exact[1] ?? ''] : [...template.matchAll(ALL_IN_TEXT)].map(([, name = '']) => name)
  }
  if (Array.isArray(template)) return template.flatMap(namesIn)
  return isObject(template)
    ? Object.entries(template).flatMap(([key, value]) => [...namesIn(key), ...namesIn(value)])
    : []
}

export function wordsIn(template: Template): readonly ShapeWord[] {
  return namesIn(template).filter(isWord)
}

export type TemplatePath = readonly string[]

/** The keys that lead to a word; undefined if it is not in the template, or only inside of a list. */
export function pathTo(word: ShapeWord, template: Template, written = `$${word}`): TemplatePath | undefined {
  if (template === written) return []
  for (const [key, value] of isObject(template) ? Object.entries(template) : []) {
    const rest = pathTo(word, value, written)
    if (rest) return [key, ...rest]
  }
  return undefined
}

/** Stands for the rows of a list in a frame. */
export const ROWS = '\0rows\0'

const WRITTEN = JSON.stringify(ROWS)

/** The frame in a list's template, filled in with `ROWS` for the rows. */
export function frameOf(filled: unknown): Frame {
  const [before = '', after = ''] = JSON.stringify(filled, null, 2).split(WRITTEN)
  const lastLine = before.slice(before.lastIndexOf('\n') + 1)
  return { before, after, depth: lastLine.search(/[^ ]|$/) / 2, around: (rows) => withRows(filled, rows) }
}

function withRows(value: unknown, rows: readonly unknown[]): unknown {
  if (value === ROWS) return rows
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRows(inner, rows)]))
}

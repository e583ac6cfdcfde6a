import { isLongList, toText } from './value/text.ts'

/** Longer than any URL; and what is longer than this, JavaScript's own maps tell apart by comparing only. */
const MOST_CHARACTERS = 16_000
/** No long list has so short a text. */
const FEW_CHARACTERS = 1000

/** The text by which a value is looked up, `String(value)`; undefined where that is too long to look anything up by. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (isLongList(value)) return undefined
  const text = toText(value)
  return text.length <= MOST_CHARACTERS ? text : undefined
}

/** Whether every value with this text has it as its key. */
export function isKey(text: string): boolean {
  return text.length <= FEW_CHARACTERS || (text.length <= MOST_CHARACTERS && !isLongList(text.split(',')))
}

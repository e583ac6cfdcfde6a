import { startOfText } from './value/text.ts'

/** Longer than any URL; and beyond this, Maps do not hash strings by content, but compare them. */
const MOST_CHARACTERS = 16_000

/** The text by which a value is looked up, `String(value)`; undefined if it is too long to be a key. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  const text = startOfText(value, MOST_CHARACTERS)
  return text.length <= MOST_CHARACTERS ? text : undefined
}

/** Whether every value with this text has it as its key. */
export function isKey(text: string): boolean {
  return text.length <= MOST_CHARACTERS
}

import { isLongList, toText } from './value/text.ts'

/** Longer than any URL; and beyond this, Maps do not hash strings by content, but compare them. */
const MOST_CHARACTERS = 16_000
/** No long list has a text this short. */
const FEW_CHARACTERS = 1000

/** The text by which a value is looked up, `String(value)`; undefined if it is too long to be a key. */
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

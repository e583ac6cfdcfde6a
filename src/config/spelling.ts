import { nearestOf } from '../core/kernel/util/find-nearest.ts'

export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Names that differ in more letters have little in common. */
const MOST_STEPS = 13

/** The known word closest to `word`, if any is close enough. It need not be as close as among fields. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return nearestOf(word, known, MOST_STEPS)?.name
}

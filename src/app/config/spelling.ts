import { findNearest } from '../../util/find-nearest.ts'

export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The known word closest to `word`, if any is close enough. There are few: it need not be as close as among fields. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return findNearest(word, known, Number.POSITIVE_INFINITY)?.name
}

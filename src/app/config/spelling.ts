import { findNearest } from '../../util/nearest.ts'

export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The known word closest to `word`, if any is close enough to be what was meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return findNearest(word, known, (length) => Math.max(1, Math.floor(length / 3)))?.name
}

import { findNearest } from '../../core/kernel/util/find-nearest.ts'
import { shorten } from '../../core/kernel/util/shorten.ts'

/** `empty,late`: each once, in their order. */
export function namesIn(names: string): readonly string[] {
  return [...new Set(names.split(',').map((name) => name.trim()))]
}

/** A sentence about the first name that no scenario has; undefined if each is one. */
export function unknownIn(names: readonly string[], known: readonly string[]): string | undefined {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const subject = `there is no scenario ${JSON.stringify(shorten(unknown))}.`
  const near = findNearest(unknown, known)
  if (near) return `${subject} Did you mean "${near.name}"?`
  return known.length === 0
    ? `${subject} Describe it in "scenarios".`
    : `${subject} There are ${known.join(', ')}.`
}

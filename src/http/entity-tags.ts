import { elementsOf } from './header-list.ts'

export interface EntityTags {
  /** `*`: whatever there is. */
  readonly isAny: boolean
  /** Whether one of the tags is this one, weak or not: all of ours are weak. */
  has(tag: string): boolean
}

/** Undefined if the header is missing. A tag without quotes is accepted; anything else that is not a tag matches nothing. */
export function parseEntityTags(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const tags = new Set(elementsOf(header).map(opaque))
  return { isAny: header.trim() === '*', has: (tag) => tags.has(opaque(tag)) }
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}

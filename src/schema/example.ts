import { maskText } from '../layers/mask/mask-text.ts'
import { isSecretName, MASK } from '../layers/mask/secrets.ts'

/** Bounds of an example: it shows what the data looks like, not all of it. */
const MOST = { looked: 10_000, characters: 200, entries: 3, fields: 100, depth: 8 } as const

/**
 * A short copy of a value without its secrets: below a secret's name, each value is replaced by a meaningless one of the
 * same kind, so that the example still fits its schema.
 */
export function exampleOf(value: unknown, isSecret = false, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return isSecret ? MASK : shortened(maskText(value.slice(0, MOST.looked)))
    case 'number':
      return isSecret ? 0 : Number.isFinite(value) ? value : null
    case 'boolean':
      return isSecret ? false : value
    case 'object':
      if (value === null) return null
      return depth >= MOST.depth ? empty(value) : copyOf(value, isSecret, depth + 1)
    default:
      return undefined
  }
}

function copyOf(value: object, isSecret: boolean, depth: number): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, MOST.entries).map((entry) => exampleOf(entry, isSecret, depth) ?? null)
  }
  const names = Object.keys(value).slice(0, MOST.fields)
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(Reflect.get(value, name), isSecret || isSecretName(name), depth)]),
  )
}

function empty(value: object): unknown {
  return Array.isArray(value) ? [] : {}
}

function shortened(text: string): string {
  return text.length <= MOST.characters
    ? text
    : `${text.slice(0, MOST.characters).replace(HALF_A_CHARACTER, '')}…`
}

const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/

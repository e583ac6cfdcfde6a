import type { IgnoredPart } from '../../catalogue/exchange.ts'

const MOST_NAMES = 1000

/** Logs parameters without effect, once per resource and name. */
export class Notices {
  readonly #reported = new Set<string>()
  readonly #log: (line: string) => void

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  report(resource: string | undefined, ignored: readonly IgnoredPart[]): void {
    for (const part of ignored) {
      const key = `${resource ?? ''}\n${part.name}`
      if (this.#reported.size >= MOST_NAMES) return
      if (this.#reported.has(key)) continue
      this.#reported.add(key)
      const prefix = resource === undefined ? '' : `/${oneLine(resource)}: `
      this.#log(`${prefix}${sentenceFor(part)}`)
    }
  }
}

/** With the name and a suggestion, never a value: it may be a secret. */
export function sentenceFor({ name, reason, suggestion }: IgnoredPart): string {
  const hint = suggestion === undefined ? '' : ` Did you mean ${oneLine(suggestion)}?`
  return `${oneLine(name)} ${EFFECTS[reason] ?? `had no effect: ${reason}.`}${hint}`
}

const EFFECTS: Readonly<Record<string, string>> = {
  'unknown field': 'had no effect: no item has such a field.',
  'unknown relation': 'had no effect: there is no such relation.',
  'matches nothing': 'matched nothing: no item has such a field.',
  'unreadable value': 'had no effect: its value cannot be read.',
  'another parameter wins': 'had no effect: another parameter takes precedence.',
  'another parameter is missing': 'had no effect on its own.',
  'compares whole lists': 'compares whole lists, not their entries.',
  'null is a string': 'looks for the string "null".',
  'unknown resource': 'is not a resource.',
}

const LONGEST = 60

/** Names may contain line breaks and terminal colors. */
function oneLine(name: string): string {
  const short = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?')
}

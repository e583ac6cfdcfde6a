import { skip } from '../../json/json-fault.ts'
import { isSecretName, MASK } from './secrets.ts'

/** Matches at any quote, even if the text ends inside the string: the scan must make progress. */
const STRING = /"(?:[^"\\]|\\[\s\S]?)*"?/y
const SCALAR = /[^\s,\]}]+/y
const SPACE = /\s*/y
/** A slash may be escaped in two ways. */
const POINTER = /"(?:\\?\/|\\u002f)(?:[^"\\]|\\[\s\S])*"/gi

/** Masks the values of secret fields in JSON, also if it is truncated or invalid. `maskString` masks inside other strings. */
export function maskJson(text: string, maskString: (text: string) => string = (same) => same): string {
  const isSecret = PATCH.test(text) && namesSecret(text) ? isSecretOfPatch : isSecretName
  let masked = ''
  let kept = 0
  const put = (start: number, end: number, instead: string): void => {
    masked += `${text.slice(kept, start)}${instead}`
    kept = end
  }
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '"') {
      at += 1
      continue
    }
    const end = skip(STRING, text, at)
    const plain = stringOf(text.slice(at, end))
    const safe = maskString(plain)
    if (safe !== plain) put(at, end, JSON.stringify(safe))
    const colon = skip(SPACE, text, end)
    if (text[colon] !== ':' || !isSecret(plain)) {
      at = end
      continue
    }
    const start = skip(SPACE, text, colon + 1)
    at = Math.max(start, skipValue(text, start))
    if (at > start) put(start, at, `"${MASK}"`)
  }
  return masked + text.slice(kept)
}

const PATCH = /^\s*\[/

/** In a JSON Patch the name is in a pointer, before or after the value: if one is secret, all values are masked. */
function namesSecret(text: string): boolean {
  for (const [literal] of text.matchAll(POINTER)) {
    if (stringOf(literal).split('/').some(isSecretName)) return true
  }
  return false
}

function isSecretOfPatch(name: string): boolean {
  return name === 'value' || isSecretName(name)
}

export function stringOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

/** The end of the value that starts here; the end of the text if it is truncated. */
export function skipValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; ) {
    const char = text[at]
    if (char === '"') at = skip(STRING, text, at)
    else if (char === '{' || char === '[') {
      depth += 1
      at += 1
    } else if (char === '}' || char === ']') {
      depth -= 1
      at += 1
    } else if (depth === 0) return skip(SCALAR, text, at)
    else at += 1
    if (depth <= 0) return at
  }
  return text.length
}

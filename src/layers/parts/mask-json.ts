import { findJsonFault } from '../../json/json-scanner.ts'
import { isSecretName, MASK } from './secrets.ts'

/** A string, which may lack its end; a sign; or anything else without spaces. */
const TOKEN = /"(?:[^"\\]|\\[\s\S]?)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g
const POINTER = /"(?:\\?\/|\\u002f)(?:[^"\\]|\\[\s\S])*"?/gi

/** Masks the values of secret fields in JSON, whole or cut. `maskString` masks inside other strings. */
export function maskJson(text: string, maskString: (text: string) => string = (same) => same): string {
  const isPatch = isSecretPatch(text)
  const isSecret = (field: string) => (isPatch && field === 'value') || isSecretName(field)
  let masked = ''
  let copied = 0
  const put = (start: number, end: number, instead: string): void => {
    masked += `${text.slice(copied, start)}${JSON.stringify(instead)}`
    copied = end
  }
  let name: string | undefined
  let isAfterName = false
  let start: number | undefined
  let depth = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isClose = token === '}' || token === ']'
    if (isAfterName && !isClose && token !== ',') start = index
    isAfterName = false
    if (start !== undefined) {
      if (isClose) depth -= 1
      else if (token === '{' || token === '[') depth += 1
      if (depth > 0) continue
      put(start, index + token.length, MASK)
      start = undefined
    } else if (token.startsWith('"')) {
      name = stringOf(token)
      const safe = maskString(name)
      if (safe !== name) put(index, index + token.length, safe)
      continue
    } else if (token === ':') isAfterName = name !== undefined && isSecret(name)
    name = undefined
  }
  if (start !== undefined) put(start, text.length, MASK)
  return masked + text.slice(copied)
}

export function isStructure(text: string): boolean {
  return /^\s*[{[]/.test(text) && isJson(text)
}

export function isJson(text: string): boolean {
  if (isWhole(text)) return true
  // It may begin a number, a word or an escape, or be nothing at all.
  const end = text.slice(findJsonFault(text).at)
  return /^(?:-?[\d.e+-]*|\\(?:u[\da-f]{0,3})?)$/i.test(end) || WORDS.some((word) => word.startsWith(end))
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const WORDS = ['true', 'false', 'null']

/** In a JSON Patch the name is in a pointer, before or after the value: if one is secret, all values are masked. */
function isSecretPatch(text: string): boolean {
  if (!/^\s*\[/.test(text)) return false
  for (const [literal] of text.matchAll(POINTER)) {
    if (stringOf(literal).split('/').some(isSecretName)) return true
  }
  // The pointer may be in what was cut off.
  return /"op"\s*:/.test(text) && !isWhole(text)
}

/** What a literal says, also if it lacks its end. */
function stringOf(literal: string): string {
  for (const whole of [literal, `${literal.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`]) {
    try {
      return String(JSON.parse(whole))
    } catch {}
  }
  return literal
}

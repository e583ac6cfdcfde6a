import { findJsonFault } from '../../json/json-scanner.ts'
import { isSecretName, MASK } from './secrets.ts'

/** A string, which may lack its end; a sign; or anything else without spaces. */
const TOKEN = /"(?:[^"\\]|\\[\s\S]?)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g
/** A slash may be escaped in two ways. */
const POINTER = /"(?:\\?\/|\\u002f)(?:[^"\\]|\\[\s\S])*"?/gi

/** Masks the values of secret fields in JSON, whole or cut. `maskString` masks inside other strings. */
export function maskJson(text: string, maskString: (text: string) => string = (same) => same): string {
  const isSecret = isSecretPatch(text) ? isSecretOfPatch : isSecretName
  let masked = ''
  let kept = 0
  const put = (start: number, end: number, instead: string): void => {
    masked += `${text.slice(kept, start)}${JSON.stringify(instead)}`
    kept = end
  }
  /** The last string, which may be the name of what follows. */
  let name: string | undefined
  let isAfterName = false
  /** Where the value of a secret starts, and how deep in it we are. */
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
  return masked + text.slice(kept)
}

/** Whether it is a JSON object or list, or the start of one. */
export function isStructure(text: string): boolean {
  return /^\s*[{[]/.test(text) && isJson(text)
}

/** Whether it is JSON, or the start of it. */
export function isJson(text: string): boolean {
  return isWhole(text) || isPart(text.slice(findJsonFault(text).at))
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether it begins a number, a word or an escape, or is nothing at all. */
function isPart(end: string): boolean {
  return /^(?:-?[\d.e+-]*|\\(?:u[\da-f]{0,3})?)$/i.test(end) || WORDS.some((word) => word.startsWith(end))
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

function isSecretOfPatch(name: string): boolean {
  return name === 'value' || isSecretName(name)
}

/** What a literal says, also if it lacks its end. */
function stringOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return cutString(literal)
  }
}

function cutString(literal: string): string {
  try {
    return String(JSON.parse(`${literal.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`))
  } catch {
    return literal
  }
}

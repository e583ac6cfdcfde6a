import { unescape as unescaped } from 'node:querystring'
import { findJsonFault } from '../../json/find-json-fault.ts'
import { attempt } from '../../util/attempt.ts'
import { isSecretName, isSecretParameter, MASK } from './secrets.ts'

/** The URL with its secrets masked: parameter values in path (`;token=`) and query, and a password before the host. */
export function maskUrl(url: string): string {
  if (!MAY_HOLD_ONE.test(url)) return url
  const mark = url.indexOf('?')
  if (mark === -1) return maskPath(url)
  return `${maskPath(url.slice(0, mark))}?${maskForm(url.slice(mark + 1))}`
}

export function maskForm(text: string): string {
  const masked: string[] = []
  for (const part of text.split('&')) masked.push(maskParameters(part))
  return masked.join('&')
}

/**
 * Masks named secrets in JSON and URLs. Other text of several lines or with brackets is masked as a whole if it names a
 * secret, since the end of its value is unknown. In prose, nothing marks a secret.
 */
export function maskText(text: string): string {
  return maskNested(text, MOST_NESTED)
}

function maskNested(text: string, levels: number): string {
  if (isStructure(text)) return maskJson(text, (part) => maskNested(part, levels))
  const masked = maskUrls(text, levels)
  const plain = masked.replace(PLACEHOLDER, MASK)
  return /[\n<{]/.test(plain) && namesSecret(plain) ? MASK : masked
}

function maskUrls(text: string, levels: number): string {
  if (!MAY_HOLD_ONE.test(text) && !text.includes('eyJ')) return text
  return text
    .replace(USER, `$1${MASK}@`)
    .replace(PARAMETERS, (_, before: string, some: string) => `${before}${maskParameters(some, levels)}`)
    .replace(SIGNED_TOKEN, MASK)
}

function namesSecret(text: string): boolean {
  for (const [, name = ''] of text.matchAll(NAME)) if (isSecretName(decoded(name))) return true
  return false
}

/** A name, and what separates it from a value that is not masked: `a: 1`, `a=1`, `<a>1`, or an empty line. */
const NAME =
  /(?<![\p{L}\p{N}_$%.[\]-])([\p{L}\p{N}_$%.[\]-]+)["'\\]*\s*(?:[:=>]|\n\r?\n)(?!["'\\\s]*\*\*\*)/gu

/** What stands for a secret in a message: `Authorization: Bearer <token>`, `{ "password": "…" }`. */
const PLACEHOLDER = /\bBearer <\w+>|"…"/g

/** Fast path: without one of these, a URL has neither a parameter nor a password. */
const MAY_HOLD_ONE = /[=@]|%(?:3d|40)/i

const MAY_CONTAIN_ONE = /[=@{%]|eyJ/

/** `http://user:password@host` */
const USER = /(?<![a-z\d+.-])([a-z][a-z\d+.-]*:\/\/)[^\s/?#"'<>]+@/gi
/** One, or several with semicolons between them. */
const PARAMETERS = /([?&;#])([^\s=&?;#"'<>]+=[^\s&"'<>]+)/g
/** A JSON Web Token, recognized by its initial `{"` in Base64. */
const SIGNED_TOKEN = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g

function maskPath(path: string): string {
  if (!path.includes(';') && !MAY_CONTAIN_ONE.test(path)) return path
  const parts = path.replace(USER, `$1${MASK}@`).split('/')
  return parts.map((part) => (part.includes(';') ? maskParameters(part) : maskValue(part))).join('/')
}

/** One parameter, or several separated by semicolons. After a secret one, the rest may be part of its value. */
function maskParameters(text: string, levels = MOST_NESTED): string {
  const masked: string[] = []
  for (const part of text.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals + 1)
    if (equals > -1 && isSecretParameter(decoded(part.slice(0, equals)))) {
      masked.push(name + MASK)
      break
    }
    masked.push(name + maskValue(part.slice(equals + 1), levels))
  }
  return masked.join(';')
}

/** URLs in URLs, and encodings of encodings, to look into: `?next=%2Flogin%3Freturn%3D%252F%253Ftoken%253D…` */
const MOST_NESTED = 3

function maskValue(value: string, levels = MOST_NESTED): string {
  let plain = value
  for (let left = levels; left >= 0 && MAY_CONTAIN_ONE.test(plain); left -= 1) {
    const masked = maskNested(plain, left - 1)
    if (masked !== plain) return left === levels ? masked : encodeURIComponent(masked)
    plain = decoded(plain)
  }
  return value
}

/** Never throws: what is not valid, or cut in the middle, stays as it is. */
function decoded(text: string): string {
  return /[%+]/.test(text) ? unescaped(text.replaceAll('+', ' ')) : text
}

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
  return attempt(() => JSON.parse(text)) !== undefined
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
  const read = (whole: string) => attempt(() => String(JSON.parse(whole)))
  return read(literal) ?? read(`${literal.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`) ?? literal
}

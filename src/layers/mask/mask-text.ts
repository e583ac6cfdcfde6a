import { maskJson } from './mask-json.ts'
import { maskLoose } from './mask-loose.ts'
import { isSecretParameter, MASK } from './secrets.ts'

/** The URL with its secrets masked: parameter values in path (`;token=`) and query, and a password before the host. */
export function maskUrl(url: string): string {
  if (!MAY_HOLD_ONE.test(url)) return url
  const mark = url.indexOf('?')
  if (mark === -1) return maskPath(url)
  return `${maskPath(url.slice(0, mark))}?${maskForm(url.slice(mark + 1))}`
}

/** `a=1&password=x` with the values of secret fields masked. */
export function maskForm(text: string): string {
  const masked: string[] = []
  for (const part of text.split('&')) masked.push(maskParameters(part))
  return masked.join('&')
}

/** Masks named secrets in URLs, JSON and anything with lines or braces. In prose, nothing tells a secret. */
export function maskText(text: string): string {
  return maskNested(text, MOST_NESTED)
}

/** @param levels how deep to look into the values of parameters */
function maskNested(text: string, levels: number): string {
  if (isJson(text)) return maskJson(text, (part) => maskNested(part, levels))
  const masked = /[\n<{]/.test(text) ? maskLoose(text) : text
  if (!MAY_HOLD_ONE.test(masked) && !masked.includes('eyJ')) return masked
  return masked
    .replace(USER, `$1${MASK}@`)
    .replace(PARAMETERS, (_, before: string, some: string) => `${before}${maskParameters(some, levels)}`)
    .replace(SIGNED_TOKEN, MASK)
}

export function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Fast path: without one of these, a URL has neither a parameter nor a password. */
const MAY_HOLD_ONE = /[=@]|%(?:3d|40)/i

/** The same for one value. */
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
  if (!text.includes(';')) return maskParameter(text, levels) ?? hidden(text)
  const masked: string[] = []
  for (const part of text.split(';')) {
    const safe = maskParameter(part, levels)
    masked.push(safe ?? hidden(part))
    if (safe === undefined) break
  }
  return masked.join(';')
}

/** Undefined if it is secret. */
function maskParameter(text: string, levels: number): string | undefined {
  const equals = text.indexOf('=')
  if (equals === -1) return maskValue(text, levels)
  if (isSecretParameter(decoded(text.slice(0, equals)))) return undefined
  const value = text.slice(equals + 1)
  const masked = maskValue(value, levels)
  return masked === value ? text : `${text.slice(0, equals + 1)}${masked}`
}

function hidden(parameter: string): string {
  return `${parameter.slice(0, parameter.indexOf('='))}=${MASK}`
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

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

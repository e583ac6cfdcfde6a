import { unescape as unescaped } from 'node:querystring'
import { isObject } from '../../kernel/json/values.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { isSecretName, isSecretParameter, MASK } from './secrets.ts'

/** The URL with its secrets masked: parameter values in path (`;token=`) and query, and a password before the host. */
export function maskUrl(url: string): string {
  if (!MAY_HOLD_ONE.test(url) || !MAY_NAME_ONE.test(url)) return url
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
  const json = isStructure(text) ? maskJson(text, levels) : undefined
  // Written again, it has only the last of repeated names.
  if (json) return json.isMasked || namesSecret(text) ? json.text : text
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

/** Placeholders of secrets in a message: `Authorization: Bearer <token>`, `{ "password": "…" }`. */
const PLACEHOLDER = /\bBearer <\w+>|"…"/g

/** Fast path: without one of these, a URL has neither a parameter nor a password. */
const MAY_HOLD_ONE = /[=@]|%(?:3d|40)/i

/**
 * Fast path: a URL without any of these names no secret and holds no token. Characters that may encode others, or stand for
 * them in another case, are looked into.
 */
const MAY_NAME_ONE =
  /[^!-~]|[@%+{["'<\\]|eyj|p[^a-z]*a[^a-z]*s[^a-z]*s|pw|secret|token|key|credential|auth|jwt|bearer|otp|sig|[cx]srf|cookie|sess|connect/i

const MAY_CONTAIN_ONE = /[=@{%]|eyJ/

/** `http://user:password@host` */
const USER = /(?<![a-z\d+.-])([a-z][a-z\d+.-]*:\/\/)[^\s/?#"'<>]+@/gi
/** Parameters: one, or several separated by semicolons. */
const PARAMETERS = /([?&;#])([^\s=&?;#"'<>]+=[^\s&"'<>]+)/g
/** A JSON Web Token, recognized by its initial `{"` in Base64. */
const SIGNED_TOKEN = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g

function maskPath(path: string): string {
  if (!path.includes(';') && !MAY_CONTAIN_ONE.test(path)) return path
  const parts = path.replace(USER, `$1${MASK}@`).split('/')
  return parts.map((part) => (part.includes(';') ? maskParameters(part) : maskValue(part))).join('/')
}

/** Masks a parameter, or several separated by semicolons. After a secret one, the rest may be part of its value. */
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

export interface MaskedJson {
  readonly text: string
  readonly isMasked: boolean
}

/**
 * JSON with the values of secret fields masked, written again: of repeated fields, only the last one is looked at.
 * Undefined for other text, and for what is too deep.
 */
export function maskJson(text: string, levels = MOST_NESTED): MaskedJson | undefined {
  return attempt(() => {
    const value: unknown = JSON.parse(text)
    const masked = maskedValue(value, levels)
    return {
      text: JSON.stringify(masked, null, text.includes('\n') ? 2 : 0),
      isMasked: masked !== value,
    }
  })
}

function maskedValue(value: unknown, levels: number, isPatch = isSecretPatch(value)): unknown {
  if (typeof value === 'string') return maskNested(value, levels)
  if (Array.isArray(value)) {
    const masked = value.map((entry) => maskedValue(entry, levels, isPatch || isSecretPatch(entry)))
    return masked.some((entry, at) => entry !== value[at]) ? masked : value
  }
  if (!isObject(value)) return value
  const masked = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const isSecret = (isPatch && name === 'value') || isSecretName(name)
    return [
      maskNested(name, levels),
      isSecret ? MASK : maskedValue(inner, levels, isPatch || isSecretPatch(inner)),
    ]
  })
  const isMasked = masked.some(([name, inner]) => inner !== value[name])
  return isMasked ? Object.fromEntries(masked) : value
}

function isStructure(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** In a JSON Patch the name is in a pointer, before or after the value: if one is secret, all values are masked. */
function isSecretPatch(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  return value.some((operation) => {
    const { path, from }: { path?: unknown; from?: unknown } = Object(operation)
    return [path, from].some(
      (pointer) => typeof pointer === 'string' && pointer.split('/').some(isSecretName),
    )
  })
}

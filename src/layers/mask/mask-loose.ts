import { skip } from '../../json/json-fault.ts'
import { skipValue, stringOf } from './mask-json.ts'
import { isSecretName, MASK } from './secrets.ts'

/** Masks secrets that follow their name: `{password:x}`, `password = 'x'`, YAML, XML, multipart forms. */
export function maskLoose(text: string): string {
  return maskAssigned(maskParts(maskElements(text)))
}

/** A quoted or bare name, and what separates it from its value. */
const NAME =
  /(?<![\p{L}\p{N}_$%.[\]-])("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{L}\p{N}_$%][\p{L}\p{N}_$%.[\]-]*)\s*(:|=>?)[^\S\n]*/gu
const SINGLE_QUOTED = /'(?:[^'\\]|\\[\s\S]?)*'?/y
/** To the end of the line or the next comma; an ampersand or a space ends what follows `=`. */
const AFTER_COLON = /[^,\r\n]*/y
const AFTER_EQUALS = /[^\s&]*/y
/** A YAML block value, indented on the following lines. */
const BLOCK = /(?:[|>][-+\d]*)?[^\S\n]*\r?\n(?:[^\S\n]+[^\n]*(?:\n|$)|[^\S\n]*\r?\n)+/y

function maskAssigned(text: string): string {
  let masked = ''
  let kept = 0
  for (const found of text.matchAll(NAME)) {
    const [all, name = '', sign = ''] = found
    if (found.index < kept || !isSecretName(nameOf(name))) continue
    const start = found.index + all.length
    const end = endOfValue(text, start, sign)
    if (end === start) continue
    const isQuoted = /["'{[]/.test(text.charAt(start))
    masked += `${text.slice(kept, start)}${isQuoted ? `"${MASK}"` : MASK}`
    kept = end
  }
  return masked + text.slice(kept)
}

function endOfValue(text: string, start: number, sign: string): number {
  const first = text.charAt(start)
  if (first === "'") return skip(SINGLE_QUOTED, text, start)
  if (first === '"' || first === '{' || first === '[') return skipValue(text, start)
  const block = sign === ':' ? skip(BLOCK, text, start) : start
  if (block > start) return block
  const end = skip(sign === ':' ? AFTER_COLON : AFTER_EQUALS, text, start)
  // Without what closes something opened before the name.
  return start + text.slice(start, end).replace(/[\s;,)\]}]+$/, '').length
}

/** `<password>x</password>`, whatever it contains. */
function maskElements(text: string): string {
  let masked = ''
  let kept = 0
  for (const found of text.matchAll(/<([\p{L}_][\p{L}\p{N}_:.-]*)(?:\s[^<>]*)?(?<!\/)>/gu)) {
    const start = found.index + found[0].length
    if (found.index < kept || !isSecretName(found[1] ?? '')) continue
    const close = text.indexOf(`</${found[1]}`, start)
    masked += `${text.slice(kept, start)}${MASK}`
    kept = close === -1 ? text.length : close
  }
  return masked + text.slice(kept)
}

/** The parts of a multipart body: each has a name in its headers, and its value after an empty line. */
function maskParts(text: string): string {
  if (!/\bname=/i.test(text)) return text
  return text
    .split(/(?<=\n)(?=--)/)
    .map(maskPart)
    .join('')
}

function maskPart(part: string): string {
  const body = /\r?\n\r?\n/.exec(part)
  if (!body) return part
  const start = body.index + body[0].length
  const [, name = ''] = /\bname="?([^";\r\n]+)/i.exec(part.slice(0, body.index)) ?? []
  return isSecretName(name) && start < part.length ? `${part.slice(0, start)}${MASK}\n` : part
}

function nameOf(name: string): string {
  const plain = /^["']/.test(name) ? stringOf(`"${name.slice(1, -1)}"`) : name
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

import { placeAt } from '../../core/kernel/json/text-place.ts'
import { FormatFault, MOST_LEVELS } from './codec.ts'

/** Parsers call themselves for each level: a deeper text would overflow the stack. */
export function checkBrackets(text: string, quotes: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '[' || char === '{') {
      if (++depth > MOST_LEVELS) throw tooDeep(text, at)
    } else if (char === ']' || char === '}') depth--
    else if (char === '/') at = endOfComment(text, at)
    else if (quotes.includes(char)) at = endOfString(text, at, char)
  }
}

export function tooDeep(text: string, at: number, most = MOST_LEVELS): FormatFault {
  return new FormatFault(`nested deeper than ${most} levels at ${placeAt(text, at)}: make it flatter.`)
}

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === '/'
  if (!isLine && text[start + 1] !== '*') return start
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2)
  return end === -1 ? text.length : end + (isLine ? 0 : 1)
}

function endOfString(text: string, start: number, quote: string): number {
  let at = start + 1
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}

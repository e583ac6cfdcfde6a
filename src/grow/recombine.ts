import type { Maker } from './maker.ts'

/** Texts made of parts of these: of those that are built alike, each part of another; of others, beginnings and ends. */
export function recombine(texts: readonly string[]): Maker<string> {
  const split = texts.map(partsOf)
  const alike = new Map<string, string[][]>()
  for (const parts of split) {
    const shape = shapeOf(parts)
    const group = alike.get(shape)
    if (group) group.push(parts)
    else alike.set(shape, [parts])
  }
  const makers = [...alike.values()].flatMap((group) => {
    const make = group.length > 1 ? mixParts(group) : joinEnds(group[0] ?? [], split)
    return group.map(() => make)
  })
  return (random) => random.pick(makers)(random)
}

/** The beginning of one text and, from a word on, the end of another that is as far in. */
function joinEnds(one: readonly string[], all: readonly (readonly string[])[]): Maker<string> {
  return (random) => {
    const other = random.pick(all)
    const cut = 2 * random.below(Math.ceil(Math.min(one.length, other.length) / 2) + 1)
    return [...one.slice(0, cut), ...other.slice(cut)].join('')
  }
}

const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Words and what is between them, in turn: it begins and ends with what is around them, which may be empty. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let end = 0
  for (const match of text.matchAll(PART)) {
    parts.push(text.slice(end, match.index), match[0])
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function shapeOf(parts: readonly string[]): string {
  return JSON.stringify(parts.filter((_, at) => at % 2 === 0))
}

/** Each word is that of another text, at the same position. */
function mixParts(group: readonly (readonly string[])[]): Maker<string> {
  const [first = []] = group
  const makers = first.map((part, at): Maker<string> => {
    if (at % 2 === 0) return () => part
    return wordMaker(group.map((parts) => parts[at] ?? ''))
  })
  return (random) => makers.map((make) => make(random)).join('')
}

function wordMaker(words: readonly string[]): Maker<string> {
  const distinct = [...new Set(words)]
  const isVaried = distinct.length > 1 && distinct.length * 2 > words.length
  if (isVaried && distinct.every((word) => /^\d{1,15}$/.test(word))) return digitsMaker(distinct)
  const isCode = distinct.every((word) => CODE.test(word) && word.length === distinct[0]?.length)
  return isVaried && isCode ? codeMaker(distinct) : (random) => random.pick(words)
}

/** Numbers between the lowest and the highest. A leading zero tells that all are as long. */
function digitsMaker(words: readonly string[]): Maker<string> {
  const numbers = words.map(Number)
  const low = numbers.reduce((a, b) => Math.min(a, b))
  const high = numbers.reduce((a, b) => Math.max(a, b))
  const isPadded = words.some((word) => word.startsWith('0') && word !== '0')
  const length = isPadded ? Math.max(...words.map((word) => word.length)) : 0
  return (random) => String(low + random.below(high - low + 1)).padStart(length, '0')
}

/** Letters and digits, mixed, as in `V1StGXR`. */
const CODE = /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]+$/

/** At each position, a character of the kind that is there: a digit, a letter in that case, or any of them. */
function codeMaker(codes: readonly string[]): Maker<string> {
  const [first = ''] = codes
  const alphabets = [...first].map((_, at) => {
    const seen = [...new Set(codes.map((code) => code[at] ?? ''))].sort().join('')
    if (seen.length === 1 && codes.length > 2) return seen
    const isHex = codes.every((code) => /^[\da-f]+$/i.test(code))
    const lower = isHex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz'
    return [
      /\d/.test(seen) ? '0123456789' : '',
      /[A-Z]/.test(seen) ? lower.toUpperCase() : '',
      /[a-z]/.test(seen) ? lower : '',
    ].join('')
  })
  return (random) => alphabets.map((alphabet) => alphabet[random.below(alphabet.length)] ?? '').join('')
}

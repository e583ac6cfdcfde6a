import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { isSameJson } from '../../json/values.ts'
import { type Codec, FormatFault, keepingMarks, placeAt, type Reading, withoutByteMark } from './codec.ts'
import { type Dialect, plainValue, rewriteText, type TextEntry, type TextNode } from './text-tree.ts'

/** JSON with comments and trailing commas. */
export const jsonc: Codec = {
  read(marked): Reading {
    return { value: parse(withoutByteMark(marked))?.value }
  },

  write(value, before) {
    return keepingMarks(before, (text) => {
      const root = parse(text)
      if (!root) return `${text}${JSON.stringify(value, null, 2)}\n`
      const written = rewriteText(text, root, value, DIALECT)
      return isSameJson(parse(written)?.value, value) ? written : `${JSON.stringify(value, null, 2)}\n`
    })
  },
}

const DIALECT: Dialect = {
  comment: '//[^\\n]*|/\\*[\\s\\S]*?\\*/',
  inline: jsonLine,
  tall: (value, unit) => JSON.stringify(value, null, unit),
  name: (name) => `${JSON.stringify(name)}: `,
  block: () => '',
}

/** `{ "id": 1, "tags": ["a"] }` */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${jsonLine(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function parse(text: string): TextNode | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [error] = errors
  if (error) {
    const what = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
      .toLowerCase()
    throw new FormatFault(
      `not valid JSON with comments: ${what} at ${placeAt(text, error.offset)}. Correct it there.`,
    )
  }
  return root && nodeOf(root)
}

function nodeOf({ type, offset, length, children = [], value }: Node): TextNode {
  const place = { start: offset, end: offset + length }
  if (type !== 'array' && type !== 'object') return { ...place, value }
  const entries = children.flatMap((child): TextEntry[] => {
    if (type === 'array') return [{ start: child.offset, node: nodeOf(child) }]
    const [key, member] = child.children ?? []
    return key && member ? [{ name: String(key.value), start: child.offset, node: nodeOf(member) }] : []
  })
  return { ...place, entries, value: plainValue(entries, type === 'array') }
}

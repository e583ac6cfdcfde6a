import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { placeAt } from '../../core/kernel/json/text-place.ts'
import { FormatFault, jsonLine, repetition } from './codec.ts'
import { bracketLayout, type EntryPlace, type TextLayout } from './layout.ts'
import { LayoutCodec } from './layout-codec.ts'

/** JSON with comments and trailing commas. */
export const jsonc = new LayoutCodec({
  parse(text) {
    const root = treeOf(text)
    if (!root) return { value: undefined, layout: undefined }
    const layout = layoutOf(text, root, 0, text.length, root.type === 'object')
    return { value: layout.value, layout, repeated: repeatedIn(text, root) }
  },
  split(text) {
    const root = treeOf(text)
    return root ? layoutOf(text, root, 0, text.length) : { value: null, head: text, body: '', tail: '' }
  },
  whole: (value) => `${JSON.stringify(value, null, 2)}\n`,
  inline: jsonLine,
})

function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [error] = errors
  if (!error) return root
  const what = printParseErrorCode(error.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
  const where = placeAt(text, error.offset)
  throw new FormatFault(`not valid JSON with comments: ${what} at ${where}. Correct it there.`)
}

/** @param isDeep whether the values of its fields are taken apart, too */
function layoutOf(text: string, node: Node, start: number, end: number, isDeep = false): TextLayout {
  const close = endOf(node) - 1
  if (!node.children) {
    const value: unknown = getNodeValue(node)
    return {
      value,
      head: text.slice(start, node.offset),
      body: text.slice(node.offset, close + 1),
      tail: text.slice(close + 1, end),
    }
  }
  const places = node.children.map((child): EntryPlace => {
    const [name, value = child] = child.children && child.type === 'property' ? child.children : []
    const head = child.colonOffset === undefined ? child.offset : child.colonOffset + 1
    const read = (to: number) => {
      const layout = isDeep && value.children ? layoutOf(text, value, head, to) : undefined
      return { layout, value: layout ? layout.value : getNodeValue(value) }
    }
    return { name: name?.value, start: child.offset, head, end: endOf(value), read }
  })
  return bracketLayout(text, { start, open: node.offset, close, end }, places)
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function repeatedIn(text: string, root: Node): string | undefined {
  const rest = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    const names = new Set<string>()
    for (const child of node.children ?? []) {
      rest.push(child)
      const [name] = child.type === 'property' ? (child.children ?? []) : []
      if (name && names.size === names.add(name.value).size) return repetition(text, name.value, name.offset)
    }
  }
  return undefined
}

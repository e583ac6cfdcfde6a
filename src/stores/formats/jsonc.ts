import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { placeAt } from '../../core/kernel/json/text-place.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import {
  type Codec,
  ended,
  FormatFault,
  keepingMarks,
  repetition,
  UNCHANGEABLE,
  withoutMarks,
} from './codec.ts'
import { editJsonc } from './edit-jsonc.ts'

/** JSON with comments and trailing commas. */
export const jsonc: Codec = {
  read(marked) {
    const text = withoutMarks(marked)
    const root = treeOf(text)
    return root ? { value: getNodeValue(root), repeated: repeatedIn(text, root) } : { value: undefined }
  },

  write(value, before, ids) {
    return keepingMarks(before, (text) => {
      const root = treeOf(text)
      if (!root) return `${ended(text)}${JSON.stringify(value, null, 2)}\n`
      const edited = editJsonc(text, root, value, ids)
      const tree = attempt(() => treeOf(edited))
      if (!tree || !isSameJson(getNodeValue(tree), value)) throw new FormatFault(UNCHANGEABLE)
      return edited
    })
  },
}

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

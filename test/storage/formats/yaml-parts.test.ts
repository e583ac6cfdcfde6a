import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TextNode } from '../../../src/storage/formats/text-tree.ts'
import { treeOf } from '../../../src/storage/formats/yaml-rows.ts'
import { parseYaml, type YamlTree } from '../../../src/storage/formats/yaml-tree.ts'
import { runs } from '../../support/length.ts'

const LINES = [
  ...['- 1', '- a: 1', '-', '- # dash - dash', '- - 2', '- |', '- >-', '- "x', '- {a: 1}', '- [1,', '- ? k'],
  ...[
    'a:',
    'b: 1 # b',
    'c: |',
    'd: "x',
    "'e': 2",
    '"f":',
    'g: [',
    'h: {x: 1}',
    'a: # again',
    '? key',
    ': value',
  ],
  ...[
    'text',
    'text: more',
    '# comment',
    '',
    '---',
    '...',
    'y"',
    ']',
    '}',
    '&x 1',
    '*x',
    '!t 1',
    '<<: {a: 1}',
    '\t',
  ],
  ...['- a: 1\n  b: 2', 'a:\n- 1\n- 2', 'a:\n  - b: 1\n    c: 2\n  - d: 3', 'k:\n  l: 1\n  m: 2'],
]
const line = fc
  .tuple(fc.constantFrom('', '', '', '  ', '  ', '    ', ' '), fc.constantFrom(...LINES))
  .map(([indent, text]) => indent + text.replaceAll('\n', `\n${indent}`))
const document = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', ''))
  .map(([lines, end]) => lines.join('\n') + end)

it('means the same, at the same places, whether it is parsed row by row or as a whole', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(outcomeOf(treeOf, text)).toEqual(outcomeOf(parseYaml, text))
    }),
    runs(100, 5000),
  )
})

function outcomeOf(parse: (text: string) => YamlTree, text: string): unknown {
  try {
    const { root, unsaved, value } = parse(text)
    return { places: placesOf(root), unsaved, value: value() }
  } catch (error) {
    return String(error)
  }
}

/** Also of what is found only when it is looked for. */
function placesOf(node: TextNode | undefined): unknown {
  if (!node) return undefined
  const entries = node.entries?.map(({ name, start, node: inner }) => [name, start, placesOf(inner)])
  return [node.start, node.end, node.isBlock ?? false, node.value, entries]
}

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TextNode } from '../../../src/storage/formats/commented-text.ts'
import { treeOf, yaml } from '../../../src/storage/formats/yaml.ts'
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
/** None of which is a text that goes on in the next line. */
const COMMENTED = [
  ...[
    '- 1',
    '- a: 1',
    '-',
    '- # dash - dash',
    '- - 2',
    '- {a: 1}',
    '- [1, 2]',
    '- r: 1 # r\n  # s\n  s:\n    # t\n    t: 1',
  ],
  ...[
    'a:',
    'b: 1 # b',
    'd: "x"',
    "'e': 2",
    '"f":',
    'h: {x: 1, y}',
    'i: # again',
    'n: [1, # one\n  2]',
    '# comment',
    '',
    '---',
  ],
  ...[
    'a:\n- 1\n- 2',
    'a:\n  - b: 1\n    c: 2\n  - d: 3',
    'k:\n  l: 1 # l\n  m: 2',
    'o: { p: 1, # p\n  q: 2 }',
  ],
]
const documentOf = (lines: readonly string[]) => {
  const line = fc
    .tuple(fc.constantFrom('', '', '', '  ', '  ', '    ', ' '), fc.constantFrom(...lines))
    .map(([indent, text]) => indent + text.replaceAll('\n', `\n${indent}`))
  return fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', ''))
    .map(([all, end]) => all.join('\n') + end)
}

it('means the same, at the same places, whether it is parsed row by row or as a whole', () => {
  fc.assert(
    fc.property(documentOf(LINES), (text) => {
      expect(outcomeOf(treeOf, text)).toEqual(outcomeOf(parseYaml, text))
    }),
    runs(100, 5000),
  )
})

it('keeps all comments, whatever value changes into another', () => {
  const another = fc.constantFrom<unknown[]>('Z', 7, null, '', 'a: b', [1], { q: 1 })
  fc.assert(
    fc.property(documentOf(COMMENTED), fc.nat(), another, (text, at, value) => {
      const { root, unsaved } = attempt(text) ?? {}
      const paths = root && unsaved === undefined ? pathsIn(root.value) : []
      const path = paths[at % Math.max(1, paths.length)]
      if (path === undefined || path.length === 0) return
      const changed = setIn(root?.value, path, value)
      const written = yaml.write(changed, text)
      expect(yaml.read(written).value, written).toEqual(changed)
      expect(isSubsequence(commentsIn(text), commentsIn(written)), written).toBe(true)
    }),
    runs(100, 5000),
  )
})

const commentsIn = (text: string) => text.match(/#.*/g) ?? []

function isSubsequence(parts: readonly string[], all: readonly string[]): boolean {
  let next = 0
  for (const each of all) if (each === parts[next]) next++
  return next === parts.length
}

function pathsIn(value: unknown): readonly string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return Object.entries(value).flatMap(([name, part]) => pathsIn(part).map((path) => [name, ...path]))
}

function setIn(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part
  const copy: unknown = structuredClone(value)
  Reflect.set(Object(copy), name, setIn(Reflect.get(Object(value), name), rest, part))
  return copy
}

function attempt(text: string): YamlTree | undefined {
  try {
    return parseYaml(text)
  } catch {
    return undefined
  }
}

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

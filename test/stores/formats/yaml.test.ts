import { describe, expect, it } from 'vitest'
import { yaml } from '../../../src/stores/formats/yaml.ts'

describe('YAML', () => {
  it.each([
    ['two documents', '- 1\n---\n- 2\n', /more than one document in it at line 2/],
    ['a string that is not closed', '- 1\n- "x\n- 2\n', /line 4/],
    ['a field among rows', '- 1\na: 2\n', /line 2/],
  ])('is refused as a whole, with the line in it: %s', (_, text, fault) => {
    expect(() => yaml.read(text)).toThrow(fault)
  })

  it.each([
    ['anchors', '- &a {id: 1}\n- *a\n', [{ id: 1 }, { id: 1 }]],
    ['tags', 'a:\n- !x 1\nb: 2\n', { a: ['1'], b: 2 }],
    ['merge keys', '- {<<: {id: 1}, a: 1}\n', [{ id: 1, a: 1 }]],
    ['lists or objects as keys', '- ? [1]\n  : 2\n', [{ '[ 1 ]': 2 }]],
  ])('is not saved if it has %s', (reason, text, value) => {
    expect(yaml.read(text)).toEqual({ value, unsaved: `it has ${reason}` })
  })
})

it.each(['\u00a0', '\u2028', '\u3000', '\ufeff'])(
  'a text may end in white space that YAML has no use for: %j',
  (space) => {
    for (const before of ['# all\n- id: 1 # first\n', '[] # none\n']) {
      const rows = [{ id: 1 }, { id: 2, text: `x${space}` }]
      expect(yaml.read(yaml.write(rows, before)).value).toEqual(rows)
    }
  },
)

it('a removed row takes nothing of the one before it along', () => {
  const text = '- a: |+\n    x\n\n- b: 1\n- c: 2\n'
  expect(yaml.read(text).value).toEqual([{ a: 'x\n\n' }, { b: 1 }, { c: 2 }])
  expect(() => yaml.write([{ a: 'x\n\n' }, { c: 2 }], text)).toThrow('this change would lose')
})

const COMMENTED = 'posts: # c1\n   # c2\n   - { id: 1 }\n   # c3\ntags: [] # keep\n'

it.each([
  ['a list', COMMENTED, COMMENTED.replace('- { id: 1 }', '[]'), COMMENTED.replace('{ id: 1 }', 'id: 1')],
  [
    'a list at the column of its name',
    'posts: # c1\n# c2\n- id: 1\n# c3\ntags: [] # keep\n',
    'posts: # c1\n# c2\n  []\n# c3\ntags: [] # keep\n',
    'posts: # c1\n# c2\n  - id: 1\n# c3\ntags: [] # keep\n',
  ],
  [
    'a list without comments',
    'posts:\n- id: 1\ntags: []\n',
    'posts: []\ntags: []\n',
    'posts:\n  - id: 1\ntags: []\n',
  ],
])('comments stay where they were when the last row goes and comes back: %s', (_, text, emptied, filled) => {
  expect(yaml.write({ posts: [], tags: [] }, text)).toBe(emptied)
  expect(yaml.write({ posts: [{ id: 1 }], tags: [] }, emptied)).toBe(filled)
})

it('of thousands of rows is changed without being parsed again', () => {
  const rows = Array.from({ length: 2000 }, (_, at) => ({ id: at + 1, name: `n${at}` }))
  const text = `# all\n${rows.map(({ id, name }) => `- id: ${id} # row\n  name: ${name}\n`).join('')}`
  const began = process.cpuUsage()
  yaml.read(text)
  const read = process.cpuUsage(began).user
  let [before, all] = [text, rows]
  for (let id = 2001; id <= 2003; id++) {
    all = [...all.with(999, { id: 1000, name: `changed ${id}` }), { id, name: 'new' }]
    before = yaml.write(all, before)
  }
  const { user: readAndWritten } = process.cpuUsage(began)
  const added = [2001, 2002, 2003].map((id) => `- id: ${id}\n  name: new\n`).join('')
  expect(before).toBe(text.replace('name: n999\n', 'name: changed 2003\n') + added)
  expect(readAndWritten, 'three changes take less than one reading').toBeLessThan(2 * read)
})

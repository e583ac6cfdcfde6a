import { afterEach, describe, expect, it, vi } from 'vitest'
import { yaml } from '../../../src/storage/formats/yaml.ts'

const parsed: string[] = []

vi.mock('yaml', async (load) => {
  const all = await load<typeof import('yaml')>()
  const parseDocument = (text: string, options: object) => {
    parsed.push(text)
    return all.parseDocument(text, options)
  }
  return { ...all, parseDocument }
})

afterEach(() => {
  parsed.length = 0
})

const ROWS = Array.from({ length: 200 }, (_, at) => ({ id: at + 1, name: `n${at}` }))
const LIST = ROWS.map(({ id, name }) => `- id: ${id} # row\n  name: ${name}\n`).join('')

describe('YAML of many rows', () => {
  it.each([
    ['a list', `---\n# all\n${LIST}`, (rows: unknown) => rows],
    [
      'lists by name',
      `items: # all\n${LIST.replace(/^/gm, '  ').trimEnd()}\n"one": {a: 1} # one\n`,
      (rows: unknown) => ({ items: rows, one: { a: 1 } }),
    ],
  ])('is parsed once, and then only what changed: %s', (_, text, dataOf) => {
    expect(yaml.read(text)).toEqual({ value: dataOf(ROWS), unsaved: undefined })
    parsed.length = 0
    const changed = [...ROWS.with(99, { id: 100, name: 'changed' }), { id: 201, name: 'new' }]
    const written = yaml.write(dataOf(changed), text)
    expect(parsed.join('').length).toBeLessThan(300)
    expect(yaml.read(written).value).toEqual(dataOf(changed))
    expect(written.split('\n').length).toBe(text.split('\n').length + 2)
  })

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

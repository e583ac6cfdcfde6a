import { describe, expect, it } from 'vitest'
import type { Codec } from '../../../src/stores/formats/codec.ts'
import { csv } from '../../../src/stores/formats/csv.ts'
import type { CodecName } from '../../../src/stores/formats/formats.ts'
import { json5 } from '../../../src/stores/formats/json5.ts'
import { jsonc } from '../../../src/stores/formats/jsonc.ts'
import { ndjson } from '../../../src/stores/formats/ndjson.ts'
import { runCodec } from '../../../src/stores/formats/translate.ts'
import { yaml } from '../../../src/stores/formats/yaml.ts'

describe('a changed text', () => {
  it.each([
    ['JSONC on one line', jsonc, '[1, 2,3]', [1, 3, 4], '[1,3, 4]'],
    ['JSONC without rows', jsonc, '{ "a": [] }', { a: [{ id: 1 }] }, '{ "a": [\n  {\n    "id": 1\n  }\n] }'],
    ['JSONC with tabs', jsonc, '{\n\t"a": 1\n}', { a: 1, b: { c: 2 } }, '{\n\t"a": 1,\n\t"b": { "c": 2 }\n}'],
    ['JSONC with a trailing comma', jsonc, '[\n  1, // one\n  2, // two\n]\n', [1], '[\n  1, // one\n]\n'],
    ['JSONC without one', jsonc, '[\n  1, // one\n  2 // two\n]\n', [1], '[\n  1 // one\n]\n'],
    ['JSONC with comments before what goes', jsonc, '[1, // one\n2, 3]', [1, 3], '[1, // one\n3]'],
    ['JSONC with comments before the end', jsonc, '{"a":1, // one\n"b":2}', { a: 1 }, '{"a":1 // one\n}'],
    [
      'JSONC with CRLF and a mark',
      jsonc,
      '\uFEFF[\r\n  1\r\n]\r\n',
      [1, 2],
      '\uFEFF[\r\n  1,\r\n  2\r\n]\r\n',
    ],
    ['JSONC with a name twice', jsonc, '{"a":1,"a":2}', { a: 3 }, '{"a":1,"a":3}'],
    [
      'YAML with a name twice',
      yaml,
      'a: 1 # one\nb: 2\na: 3 # three\n',
      { a: 4, b: 2 },
      'a: 1 # one\nb: 2\na: 4 # three\n',
    ],
    ['JSON5 that is JSONC', json5, '[1, /* two */ 2]', [1, 3], '[1, /* two */ 3]'],
    [
      'YAML lists at the column of their name',
      yaml,
      'a:\n- 1\n- 2 # two\nb: x\n',
      { a: [1, 2, 3], b: 'x' },
      'a:\n- 1\n- 2 # two\n- 3\nb: x\n',
    ],
    [
      'YAML in brackets that fill',
      yaml,
      '- {id: 1, a: [], b: {}} # c\n',
      [{ id: 1, a: [{ c: [] }], b: { d: 1 } }],
      '- {id: 1, a: [{c: []}], b: {d: 1}} # c\n',
    ],
    [
      'YAML in brackets over several lines that fill',
      yaml,
      '- {id: 1, a: []\n  }\n',
      [{ id: 1, a: [2] }],
      '- {id: 1, a: [2]}\n',
    ],
    [
      'JSON lists that fill',
      jsonc,
      '{\n  "a": [], // c\n  "b": []\n}',
      { a: [1], b: [2] },
      '{\n  "a": [\n    1\n  ], // c\n  "b": [\n    2\n  ]\n}',
    ],
    ['YAML lists that become empty', yaml, 'a:\n- 1\nb: x # y\n', { a: [], b: 'x' }, 'a: []\nb: x # y\n'],
    [
      'YAML blocks of text',
      yaml,
      'a: |\n  one\n  two\nb: >-\n  three\n',
      { a: 'one\ntwo\n', b: 'four' },
      'a: |\n  one\n  two\nb: four\n',
    ],
    ['YAML in brackets with comments', yaml, 'a: [1, # one\n  2]\n', { a: [1] }, 'a: [\n    1 # one\n  ]\n'],
    ['YAML without a value', yaml, 'a:\nb: 2 # two\n', { a: 1, b: 2 }, 'a: 1\nb: 2 # two\n'],
    ['YAML in single quotes', yaml, "a: 'it''s'\n", { a: "o'clock" }, "a: 'o''clock'\n"],
    ['YAML with CRLF', yaml, '- 1\r\n- 2\r\n', [1, 2, 3], '- 1\r\n- 2\r\n- 3\r\n'],
    [
      'YAML rows in rows',
      yaml,
      '- id: 1\n  in:\n    - id: 2 # two\n      x: 1\n- id: 3\n',
      [{ id: 1, in: [{ id: 2, x: 5 }, { id: 4 }] }, { id: 3 }],
      '- id: 1\n  in:\n    - id: 2 # two\n      x: 5\n    - id: 4\n- id: 3\n',
    ],
    [
      'YAML with dashes in comments',
      yaml,
      '- # first-aid - x\n  id: 1\n- # - two\n  - 2\n',
      [{ id: 1, a: 3 }, [2, 4]],
      '- # first-aid - x\n  id: 1\n  a: 3\n- # - two\n  - 2\n  - 4\n',
    ],
    [
      'YAML with keys that say so',
      yaml,
      '- ? id\n  : 1 # one\n  # a\n  ? a\n  : x\n',
      [{ id: 1, a: 'y', b: 2 }],
      '- ? id\n  : 1 # one\n  # a\n  ? a\n  : y\n  b: 2\n',
    ],
    [
      'YAML with comments beside what is null',
      yaml,
      '- id: 1\n  a: # none\n  b: |- # text\n    x\n- # nothing\n',
      [{ id: 1, a: 2, b: 'y' }, null, 3],
      '- id: 1\n  a: 2 # none\n  b: y # text\n- # nothing\n- 3\n',
    ],
    [
      'YAML with names only',
      yaml,
      '- {id: 1, a, b: , c: x} # row\n',
      [{ id: 1, a: 2, b: null, c: 'y' }],
      '- {id: 1, a: 2, b:, c: y} # row\n',
    ],
    [
      'YAML whose rows begin with another field',
      yaml,
      '- a: 1 # one\n  id: 1 # id\n',
      [{ a: 2, id: 1 }],
      '- a: 2 # one\n  id: 1 # id\n',
    ],
    [
      'YAML rows without ids',
      yaml,
      '- # home\n  city: Rome # capital\n- # nothing\n- 3 # three\n',
      [{ city: 'Oslo' }, { city: 'Bonn' }, [3]],
      '- # home\n  city: Oslo # capital\n- # nothing\n  city: Bonn\n- # three\n  - 3\n',
    ],
    [
      'YAML between marks of documents',
      yaml,
      '%YAML 1.2\n--- # begin\n- 1 # one\n...\n# end\n',
      [1, 2],
      '%YAML 1.2\n--- # begin\n- 1 # one\n- 2\n...\n# end\n',
    ],
    [
      'CSV with a new field',
      csv,
      'id,a\n1,x\n2,y\n',
      [
        { id: 1, a: 'x' },
        { id: 2, a: 'y', b: { c: true } },
      ],
      'id,a,b.c\n1,x,\n2,y,true\n',
    ],
    [
      'CSV with numbers as they were',
      csv,
      'id;price\r\n1;2.50\r\n2;3\r\n',
      [
        { id: 1, price: 2.5 },
        { id: 2, price: 4 },
      ],
      'id;price\r\n1;2.50\r\n2;4\r\n',
    ],
    [
      'CSV with everything in quotes',
      csv,
      '"id","a"\n"1","x"\n',
      [
        { id: 1, a: 'x' },
        { id: 2, a: 'y' },
      ],
      '"id","a"\n"1","x"\n"2","y"\n',
    ],
    [
      'CSV with text among numbers',
      csv,
      'id,a\n1,5\n2,6\n',
      [
        { id: 1, a: 5 },
        { id: 2, a: '6' },
      ],
      'id,a\n1,5\n2,"6"\n',
    ],
    ['CSV whose text would become numbers', csv, 'id,a\n1,007\n2,6\n', [{ id: 2, a: '6' }], 'id,a\n2,"6"\n'],
    [
      'CSV to which other line ends were appended',
      csv,
      'id,a\r\n1,"x\r\ny"\r\n2,b\n',
      [
        { id: 1, a: 'x\ny' },
        { id: 2, a: 'c' },
      ],
      'id,a\n1,"x\ny"\n2,c\n',
    ],
    ['CSV with lists', csv, 'id,a\n1,"[1,2]"\n', [{ id: 1, a: [1, 3] }], 'id,a\n1,"[1,3]"\n'],
    [
      'CSV without a last line end',
      csv,
      'id,on\n1,TRUE',
      [
        { id: 1, on: true },
        { id: 2, on: false },
      ],
      'id,on\n1,TRUE\n2,false\n',
    ],
    [
      'CSV with objects in a cell',
      csv,
      'id,a\n1,"{""b"":1}"\n',
      [
        { id: 1, a: { b: 1 } },
        { id: 2, a: { b: [2] } },
      ],
      'id,a\n1,"{""b"":1}"\n2,"{""b"":[2]}"\n',
    ],
    [
      'CSV with an object that is null',
      csv,
      'id,a.b\n1,x\n',
      [
        { id: 1, a: null },
        { id: 2, a: {} },
      ],
      'id,a.b\n1,\n2,\n',
    ],
    [
      'CSV with numbers of many digits',
      csv,
      'id,a\n1,2\n',
      [
        { id: 1, a: 0.1 + 0.2 },
        { id: 2, a: 1e21 },
      ],
      'id,a\n1,0.30000000000000004\n2,1e+21\n',
    ],
    ['CSV with one column', csv, 'a\nx\n', [{ a: 'x' }, { a: null }], 'a\nx\n,\n'],
    ['CSV with a name of many delimiters', csv, 'id\n1\n', [{ id: 1, 'a;b;c': 2 }], 'id,"a;b;c"\n1,2\n'],
    [
      'CSV with names in quotes only',
      csv,
      '"id","a"\n1,"5"\n',
      [
        { id: 1, a: '5' },
        { id: 2, a: '6' },
      ],
      '"id","a"\n1,"5"\n2,"6"\n',
    ],
    [
      'CSV with spaces behind quotes',
      csv,
      'id,a,b\n1,"x" ,"y"\t\n2,"z"  ,w\n',
      [
        { id: 1, a: 'n', b: 'y' },
        { id: 2, a: 'z', b: 'v' },
      ],
      'id,a,b\n1,"n","y"\t\n2,"z"  ,v\n',
    ],
    ['CSV with empty lines', csv, '\nid,a\n\n1,x\n\n', [{ id: 1, a: 'y' }], '\nid,a\n\n1,y\n\n'],
    [
      'CSV with the line ends of old Macs',
      csv,
      'id;a\r1;x\r',
      [
        { id: 1, a: 'x' },
        { id: 2, a: 'y' },
      ],
      'id;a\r1;x\r2;y\r',
    ],
    [
      'CSV with dots that end a word',
      csv,
      'id,No.,Approx. price,constructor\n1,7,8,\n',
      [{ id: 2, 'No.': 7, 'Approx. price': 9 }],
      'id,No.,Approx. price,constructor\n2,7,9,\n',
    ],
    ['CSV with columns without names', csv, 'id,,a\n1,note,x\n', [{ id: 1, a: 'y' }], 'id,,a\n1,note,y\n'],
    ['NDJSON', ndjson, '{ "id": 1 }\r\n\r\n{"id":2}', [{ id: 2 }, { id: 3 }], '\r\n{"id":2}\r\n{"id":3}\r\n'],
  ])('is as it was but for the change: %s', (_, codec, before, value, after) => {
    expect(codec.write(value, before)).toBe(after)
  })
})

describe('CSV', () => {
  it.each<[string, readonly unknown[]]>([
    ['007,008', ['007', '008']],
    ['1e5,-2.50', [100000, -2.5]],
    ['+1,2', ['+1', '2']],
    ['9007199254740993,1', ['9007199254740993', '1']],
    ['0.1234567890123456789,1', ['0.1234567890123456789', '1']],
    ['1e999,1', ['1e999', '1']],
    ['TRUE,false', [true, false]],
    ['TRUE,maybe', ['TRUE', 'maybe']],
    ['2026-01-02,=1+1', ['2026-01-02', '=1+1']],
    ['"7",7', ['7', 7]],
    [',""', [null, '']],
    ['null,x', ['null', 'x']],
    ['"[1]",', [[1], null]],
  ])('reads the cells %s of a column', (cells, values) => {
    const [first = '', second = ''] = cells.split(',')
    const text = `id,a\n1,${first}\n2,${second}\n`
    const rows = values.map((a, at) => ({ id: at + 1, a }))
    expect(csv.read(text).value).toEqual(rows)
    expect(csv.write(rows, text)).toBe(text)
    expect(csv.write([...rows, { id: 3 }], text)).toBe(`${text}3,\n`)
  })

  it.each([
    [
      'kinds in a field',
      'id,a\n1,5\n',
      [
        { id: 1, a: 5 },
        { id: 2, a: true },
      ],
    ],
    [
      'an object among texts',
      'id,a\n1,x\n',
      [
        { id: 1, a: 'x' },
        { id: 2, a: { b: 1 } },
      ],
    ],
    ['a text among objects', 'id,a.b\n1,x\n', [{ id: 1, a: 3 }]],
    ['a dot in a name', 'id\n1\n', [{ id: 1, 'a.b': 2 }]],
    ['an empty name', 'id\n1\n', [{ id: 1, '': 2 }]],
  ])('says that it cannot hold %s', (_, text, rows) => {
    expect(() => csv.write(rows, text)).toThrow(/^not able to hold this/)
  })

  it('says where a line has more cells than columns', () => {
    expect(() => csv.read('id,name\n1,Ada,\n2,Bob,Rome\n')).toThrow('line 3 has more cells')
  })

  it('of a million columns is refused before its cells are read', () => {
    const head = Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',')
    expect(() => csv.read(`${head}\n${head}\n`)).toThrow(
      'has 1,000,000 columns. Split it into files of 50,000 at most.',
    )
  })

  it('of thousands of rows is written in a moment: its columns are found once', () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `n${id}` }))
    const text = csv.write(rows, 'id,name\n')
    expect(csv.read(text).value).toEqual(rows)
  })
})

describe('a mistake', () => {
  it.each<[string, Codec, string, string]>([
    ['a comma that is missing', jsonc, '[\n  {"id":1},\n  {"id":2 "x":1}\n]', 'line 3, column 11'],
    ['a comma that is missing', yaml, 'a:\n  - {id: 1}\n  - {id: 2 "x": 1}\n', 'line 3'],
    [
      'an alias without an anchor',
      yaml,
      '- id: 1\n  a: *none\n',
      'no anchor "none" before its alias at line 2, column 6',
    ],
    [
      'an alias before its anchor',
      yaml,
      '- *late\n- &late 1\n',
      'no anchor "late" before its alias at line 1, column 3',
    ],
  ])('is said with its place in the file: %s', (_, codec, text, place) => {
    expect(() => codec.read(text)).toThrow(place)
  })

  it.each<[string, Codec, string, string]>([
    ['JSONC', jsonc, '{ "a": [\n  { "b": 1, // one\n    "b": 2 }] }', '"b" (line 3, column 5)'],
    ['YAML', yaml, 'a:\n  - b: 1\n    b: 2\n', '"b" (line 3, column 5)'],
  ])('is said with its place, though it is served: a name twice in %s', (_, codec, text, repeated) => {
    expect(codec.read(text)).toMatchObject({ value: { a: [{ b: 2 }] }, repeated })
  })
})

it.each<[string, CodecName, string, (levels: number) => string]>([
  ['YAML in brackets', 'yaml', '250 levels at line 1, column', (n) => `a: ${'['.repeat(n)}`],
  ['YAML in dashes', 'yaml', '250 levels at line 1, column', (n) => `${'- '.repeat(n)}1`],
  ['YAML with names', 'yaml', '250 levels at line 1, column', (n) => '{a: '.repeat(n)],
  ['YAML with lists as names', 'yaml', '250 levels at line 1, column', (n) => '? '.repeat(n)],
  ['JSONC', 'jsonc', '1000 levels', (n) => `/* [ */ ${'['.repeat(n)}${']'.repeat(n)}`],
  ['JSON5', 'json5', '1000 levels', (n) => `${'{a: ['.repeat(n)}${']}'.repeat(n)}`],
])('a text that is nested too deep is refused: %s', async (_, format, most, textOf) => {
  for (const levels of [1001, 9000, 20_000]) {
    const { fault } = await runCodec({ format, text: textOf(levels) })
    expect(fault).toContain(`nested deeper than ${most}`)
  }
})

it.each<[string, Codec, (levels: number) => string]>([
  ['YAML', yaml, (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
  ['JSONC', jsonc, (n) => `${'[ // one\n'.repeat(n)}${']'.repeat(n)}`],
])('a text that is nested a lot is read and written: %s', (_, codec, textOf) => {
  const text = textOf(240)
  expect(codec.write([codec.read(text).value, 1], text)).toContain('1')
})

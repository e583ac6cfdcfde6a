import { describe, expect, it } from 'vitest'
import type { Codec } from '../../../src/stores/formats/codec.ts'
import { csv } from '../../../src/stores/formats/csv.ts'
import { jsonc } from '../../../src/stores/formats/jsonc.ts'
import { ndjson } from '../../../src/stores/formats/ndjson.ts'
import { yaml } from '../../../src/stores/formats/yaml.ts'

const desk = (more: object) => ({ id: 1, name: 'Desk', ...more })

it.each<[string, Codec, string, unknown, string]>([
  [
    'several in a row of JSONC',
    jsonc,
    '[\n  { "id": 1, "name": "Desk" /* oak */, "price": 5 /* net */ },\n  { "id": 2 } /* last */\n]\n',
    [desk({ price: 6 }), { id: 2 }],
    '[\n  { "id": 1, "name": "Desk" /* oak */, "price": 6 /* net */ },\n  { "id": 2 } /* last */\n]\n',
  ],
  [
    'of both kinds beside a row',
    jsonc,
    '// Ask Ada\n[\n  { "id": 1, "name": "Desk" /* oak */ } /* one */ // uno\n]\n',
    [desk({ price: 6 }), { id: 2 }],
    '// Ask Ada\n[\n  { "id": 1, "name": "Desk" /* oak */, "price": 6 }, /* one */ // uno\n  { "id": 2 }\n]\n',
  ],
  [
    'with stars and slashes in them',
    jsonc,
    '[ /** a **/ 1 /* b * / // */, 2 // c */\n]',
    [1, 2, 3],
    '[ /** a **/ 1 /* b * / // */, 2, // c */\n  3\n]',
  ],
  [
    'of many slashes, in lines that end as on old Macs',
    jsonc,
    `[\r  1, // ${'/'.repeat(80)}\r  /* two */ 2\r]`,
    [1, 3],
    `[\r  1, // ${'/'.repeat(80)}\r  /* two */ 3\r]`,
  ],
  ['after a trailing comma', jsonc, '[1, /* one */ ]', [1, 2], '[1, /* one */ 2, ]'],
  [
    'above rows of which the first goes',
    jsonc,
    '// Sizes\n[\n  // small\n  { "id": 1 }, { "id": 2 },\n  // large\n  { "id": 3 }\n]\n',
    [{ id: 2 }, { id: 3 }],
    '// Sizes\n[\n  // small\n  { "id": 2 },\n  // large\n  { "id": 3 }\n]\n',
  ],
  ['above a row that goes, before the end', jsonc, '[\n  1,\n  // two\n  2]', [1], '[\n  1\n  // two\n]'],
  ['before the end', jsonc, '[ // list\n  { "id": 1 }]\n', [], '[ // list\n]\n'],
  [
    'in a row that was replaced, with another order of fields',
    jsonc,
    '[\n  // the first\n  {\n    "id": 1, // never change\n    "name": "Desk" // oak\n  },\n  { "id": 2 } // last\n]\n',
    [{ name: 'Desk 2', id: 1 }, { id: 2 }],
    '[\n  // the first\n  {\n    "id": 1, // never change\n    "name": "Desk 2" // oak\n  },\n  { "id": 2 } // last\n]\n',
  ],
  [
    'in items without ids, whose first fields change',
    yaml,
    'a:\n  - sku: x # one\n    n: 1 # first\n  - sku: y # two\n',
    { a: [{ sku: 'z', n: 1 }, { sku: 'y' }] },
    'a:\n  - sku: z # one\n    n: 1 # first\n  - sku: y # two\n',
  ],
  [
    'beside what is null',
    yaml,
    '# Ours\n- id: 1 # flagship\n  name: "Desk"\n  note: # TODO\n',
    [desk({ note: 'oak' }), { id: 2 }],
    '# Ours\n- id: 1 # flagship\n  name: "Desk"\n  note: oak # TODO\n- id: 2\n',
  ],
  [
    'below what is null',
    yaml,
    'a:\n    # TODO\n"b": # two\n',
    { a: 1, b: [2] },
    'a: 1\n    # TODO\n"b": # two\n    - 2\n',
  ],
  [
    'in a list that becomes null',
    yaml,
    '- list: # two\n    - 1 # one\n    # mid\n    - 2\n  b: 1\n',
    [{ list: null, b: 1 }],
    '- list: null # two\n    # mid\n  b: 1\n',
  ],
  [
    'at the end of an object, after which a field comes',
    yaml,
    'o:\n  a: 1\n  # end of o\n',
    { o: { a: 1, b: 2 }, n: 2 },
    'o:\n  a: 1\n  b: 2\n  # end of o\nn: 2\n',
  ],
  [
    'above a row that becomes the first',
    yaml,
    '# all\n- id: 1\n\n# two\n- id: 2\n',
    [{ id: 2 }],
    '# all\n# two\n- id: 2\n',
  ],
  [
    'above a field that becomes the first',
    yaml,
    '- a: 1\n  # the id\n  id: 1\n',
    [{ id: 1 }],
    '- # the id\n  id: 1\n',
  ],
  [
    'beside a list in a list',
    yaml,
    '- [1] # first\n- [3] # second\n',
    [[1], 4],
    '- [1] # first\n- 4 # second\n',
  ],
  [
    'in a list of pairs without brackets',
    yaml,
    '- id: 1 # one\n  a: [x: 1] # pairs\n- id: 2 # two\n',
    [{ id: 1, a: [{ x: 2 }] }, { id: 2 }],
    '- id: 1 # one\n  a: [{x: 2}] # pairs\n- id: 2 # two\n',
  ],
  ['above rows that all go', yaml, '# all\n- id: 1\n# two\n- id: 2\n', [], '# all\n[]\n# two\n'],
  ['above rows that come again', yaml, '# all\n[]\n# two\n', [{ id: 1 }, 2], '# all\n- id: 1\n- 2\n# two\n'],
  [
    'in brackets that take in lines',
    yaml,
    '- {id: 1, # one\n   a: [x, # two\n     y]} # row\n',
    [{ id: 1, a: ['x'], b: 1 }],
    '- {\n     id: 1, # one\n     a:\n        [\n           x # two\n        ],\n     b: 1\n  } # row\n',
  ],
])('comments stay where they were: %s', (_, codec, before, value, after) => {
  expect(codec.write(value, before)).toBe(after)
})

it('the field that is the id tells which row is which', () => {
  const text =
    '[\n  {\n    "sku": "a", // never change\n    "n": 1 // one\n  },\n  { "sku": "b" } // last\n]\n'
  const value = [{ n: 2, sku: 'a' }, { sku: 'b' }]
  expect(jsonc.write(value, text, 'sku')).toBe(text.replace('"n": 1', '"n": 2'))
})

it.each<[string, Codec, string, unknown, string]>([
  [
    'quotes, where a text needs some',
    csv,
    '"id",name,a\n1,"Ada",007\n2,"Bob",6\n3,Eve,\n',
    [
      { id: 2, name: 'Bob', a: '6' },
      { id: 3, name: 'Eve', a: null },
    ],
    '"id",name,a\n2,"Bob","6"\n3,Eve,\n',
  ],
  ['quotes of all, where a text must have none', csv, '"a"\n"5"\nx\n', [{ a: '5' }], 'a\n"5"\n'],
  ['empty lines', csv, 'id,a\n1,x\n\n2,y\n\n', [{ id: 2, a: 'z' }], 'id,a\n\n2,z\n\n'],
  [
    'empty lines before a row that changes',
    ndjson,
    '\uFEFF{ "id": 1 }\n\n{"id":2}\n\n',
    [{ id: 1 }, { id: 2, a: 1 }],
    '\uFEFF{ "id": 1 }\n\n{"id":2,"a":1}\n\n',
  ],
  [
    'rows with another order of fields',
    ndjson,
    '{"id":1,"a":2}\n{"id":2}',
    [{ a: 2, id: 1 }],
    '{"id":1,"a":2}\n',
  ],
])('lines stay as they were: %s', (_, codec, before, value, after) => {
  expect(codec.write(value, before)).toBe(after)
})

describe('the last line of NDJSON', () => {
  it.each(['{"id":3,"na', '{"id":3,"name":"\\u00', '{"a":[tru', '{"id":3', '\0{"id":3}\n{"id":4}\n'])(
    'is cut short: %j',
    (line) => {
      expect(ndjson.read(`{"id":1}\n${line}`)).toEqual({ value: [{ id: 1 }], wholeUpTo: 9 })
      expect(ndjson.write([{ id: 1 }], `{"id":1}\n${line}`)).toBe('{"id":1}\n')
    },
  )

  it.each(['{"id":3,"name":"x",}', '{"id":3},', "{'id':3}", '{"id":3}{"id":4}', '{"id":3,"na\n'])(
    'is whole, and wrong: %j',
    (line) => {
      expect(() => ndjson.read(`{"id":1}\n${line}`)).toThrow('line 2 is not JSON')
      expect(() => ndjson.write([{ id: 1 }], `{"id":1}\n${line}`)).toThrow('line 2 is not JSON')
    },
  )
})

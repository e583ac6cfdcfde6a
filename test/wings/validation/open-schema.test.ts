import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/core/engine/types.ts'
import { bundleSchema } from '../../../src/wings/validation/bundle-schema.ts'
import { openSchema } from '../../../src/wings/validation/open-schema.ts'
import { folderOf } from '../../support/folder.ts'

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

const folder = folderOf()
describe('a schema', () => {
  it.each<[string, unknown, string]>([
    ['that is no object', [], 'user.json: a schema must be an object. Write { "type": "object", … }.'],
    [
      'with an unknown keyword',
      { properties: { a: { fromat: 'email' } } },
      'user.json: at /properties/a, there is no keyword "fromat". Correct it, or write "x-fromat" for a note of your own.',
    ],
    [
      'with an unknown keyword inside a list of alternatives',
      { anyOf: [{}, { items: { requried: [] } }] },
      'user.json: at /anyOf/1/items, there is no keyword "requried". Correct it, or write "x-requried" for a note of your own.',
    ],
    [
      'with an unknown type',
      { type: 'int' },
      'user.json: at the top, there is no type "int". Write one of array, boolean, integer, null, number, object, string.',
    ],
    [
      'with an unknown format',
      { $defs: { 'a/b': { format: 'emial' } } },
      'user.json: at /$defs/a~1b, there is no format "emial". Correct it, or use "pattern".',
    ],
    [
      'with a pattern that is none',
      { properties: { a: { pattern: '(' } } },
      'user.json: at /properties/a, "pattern" is not a regular expression: (. Correct it.',
    ],
    [
      'with a reference that leads nowhere',
      { properties: { a: { $ref: '#/$defs/adress' } } },
      'user.json: at /properties/a, "$ref" leads nowhere: there is no #/$defs/adress. Correct it, or add that to $defs.',
    ],
    [
      'with a reference to another file',
      { properties: { a: { $ref: 'address.json' } } },
      'user.json: "$ref" leads nowhere: address.json is not in this schema. Copy it into $defs.',
    ],
    [
      'in a dialect that is not known',
      { $schema: 'http://json-schema.org/draft-03/schema#' },
      'user.json: the dialect "http://json-schema.org/draft-03/schema#" is not known. Write "$schema": "https://json-schema.org/draft/2020-12/schema".',
    ],
    [
      'whose properties are a list',
      { properties: [] },
      'user.json: at /properties, there must be an object of schemas by name.',
    ],
    [
      'where a schema should be',
      { properties: { a: 'string' } },
      'user.json: at /properties/a, there must be a schema: an object, true or false.',
    ],
  ])('%s is refused in one line', (_, schema, message) => {
    expect(() => openSchema(schema, 'user.json', [])).toThrow(message)
  })

  it.each<[object, string]>([
    [
      { properties: { a: { minimum: '0' } } },
      'at /properties/a/minimum, the value must be a number. Correct it.',
    ],
    [{ required: 'a' }, 'at /required, the value must be a list. Correct it.'],
    [{ $schema: DRAFT_7, maxLength: -1 }, 'at /maxLength, the value must be at least 0. Correct it.'],
    [{ properties: { a: { enum: [] } } }, 'this is not a valid JSON Schema: enum must have non-empty array.'],
  ])('with a value that a keyword cannot have is refused in one line: %j', (schema, message) => {
    expect(() => openSchema(schema, 'user.json', [])).toThrow(`user.json: ${message}`)
  })

  it.each(['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2019-09/schema'])(
    'may be written in %s',
    (dialect) => {
      const { rows } = openSchema({ $schema: dialect, $defs: { a: true }, 'x-note': 1 }, 'test', [])
      expect(rows.faultsOf({})).toEqual([])
    },
  )

  it.each<[string, string]>([
    ['date-time', '2026-01-31T09:30:00Z'],
    ['date', '2026-01-31'],
    ['time', '09:30:00Z'],
    ['duration', 'P1D'],
    ['email', 'joe@example.com'],
    ['idn-email', 'jürgen@bücher.example'],
    ['hostname', 'example.com'],
    ['idn-hostname', '例え.jp'],
    ['ipv4', '127.0.0.1'],
    ['ipv6', '::1'],
    ['uri', 'https://example.com/?q=1#a'],
    ['uri-reference', '/a/b'],
    ['iri', 'https://bücher.example/größe?ä=ö#ü'],
    ['iri-reference', '/größe'],
    ['uuid', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['uri-template', '/users/{id}'],
    ['json-pointer', '/a/0'],
    ['relative-json-pointer', '1/a'],
    ['regex', '^a+$'],
  ])('may ask for every format of 2020-12: %s', (format, text) => {
    for (const $schema of [undefined, DRAFT_7]) {
      const { rows } = openSchema({ ...($schema && { $schema }), properties: { a: { format } } }, 'test', [])
      expect(rows.faultsOf({ a: text })).toEqual([])
    }
  })

  it('may be written in draft 7, whose words it then has', () => {
    const { rows } = openSchema(
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: { type: 'number' } },
        properties: { list: { items: [{ $ref: '#/definitions/a' }], additionalItems: false } },
        dependencies: { b: ['c'] },
      },
      'test',
      [],
    )
    expect(
      rows
        .faultsOf({ list: ['x', 1], b: 1 })
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['c', 'list', 'list.0'])
  })
})

describe('a row of many values', () => {
  const { rows } = openSchema(
    {
      properties: {
        a: { type: 'number' },
        list: { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      },
    },
    'test',
    [],
  )

  it('is told all its faults, while they are few enough to be read', () => {
    const list = Array.from({ length: 9000 }, () => 1)
    expect(rows.faultsOf({ a: 'x', list }).length).toBeGreaterThan(100)
    expect(rows.faultsOf({ a: 'x', list })).toContainEqual({ path: 'a', message: 'must be a number' })
  })

  it('is told one, if there may be more than anybody reads', () => {
    const list = Array.from({ length: 200_000 }, () => 1)
    expect(rows.faultsOf({ list })).toEqual([{ path: 'list.0', message: 'must be a string or null' }])
    list.fill(0)
    expect(rows.faultsOf({ list: list.map(String) })).toEqual([])
  })
})

describe('a schema file', () => {
  it.each<[string, string | Buffer, string]>([
    ['empty', ' ', 'the file is empty. Put a JSON Schema in it.'],
    ['broken', '{\n  "type": object\n}', 'line 2, column 11'],
    ['latin1', Buffer.from([0x7b, 0xe9, 0x7d]), 'this is not UTF-8 text. Save it as UTF-8.'],
  ])('that is %s is named, with place and remedy', (name, content, message) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, content)
    expect(() => bundleSchema(file, 'schema')).toThrow(`${file}: `)
    expect(() => bundleSchema(file, 'schema')).toThrow(message)
  })

  it('that is a folder is refused', () => {
    expect(() => bundleSchema(folder, 'schema')).toThrow('this is not a file. Name a JSON Schema.')
  })
})

describe('what the server makes of a row', () => {
  const { rows } = openSchema(
    {
      allOf: [{ $ref: '#/$defs/base' }],
      properties: {
        price: { type: 'number' },
        many: { type: 'array', items: { type: 'integer' } },
        maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        kind: { enum: [1, 2], default: 1 },
        on: { type: 'boolean' },
        text: { type: ['number', 'string'] },
        address: {
          type: 'object',
          properties: { verified: { type: 'boolean', readOnly: true }, country: { default: 'IT' } },
        },
        list: { items: { properties: { n: { default: { x: [] } } } } },
        self: { $ref: '#' },
      },
      $defs: { base: { properties: { score: { type: 'number', readOnly: true, default: 0 } } } },
    },
    'test',
    [],
  )

  it.each<[string, Row, Row]>([
    ['numbers', { price: '9', maybe: '1.5', kind: '2' }, { price: 9, maybe: 1.5, kind: 2 }],
    ['booleans', { on: 'true' }, { on: true }],
    ['nothing as null, where that is allowed', { maybe: '', price: '' }, { maybe: null, price: '' }],
    ['a list of one', { many: '3' }, { many: [3] }],
    ['entries of lists', { many: ['3', 'x'] }, { many: [3, 'x'] }],
    ['strings, where those are allowed', { text: '9', other: '9' }, { text: '9', other: '9' }],
    [
      'what is nested',
      { address: { verified: 'true' }, self: { price: '1' } },
      { address: { verified: true }, self: { price: 1 } },
    ],
    ['what cannot be read as it is', { price: '9 €', on: 'on' }, { price: '9 €', on: 'on' }],
  ])('reads texts as %s', (_, fields, read) => {
    expect(rows.readTexts(fields, 'all')).toEqual(read)
  })

  it('reads only the texts that it is told of', () => {
    expect(rows.readTexts({ price: '9', maybe: '1' }, ['price', 'nothing'])).toEqual({ price: 9, maybe: '1' })
  })

  it('fills in defaults, each row its own', () => {
    const filled = rows.fillIn({ address: {}, list: [{}, { n: 1 }, 2] })
    expect(filled).toEqual({
      kind: 1,
      score: 0,
      address: { country: 'IT' },
      list: [{ n: { x: [] } }, { n: 1 }, 2],
    })
    expect(rows.fillIn({ list: [{}] }).list).not.toBe(filled.list)
  })

  it('finds defaults however deep, or in a schema that contains itself', () => {
    const deep = { a: [{ b: { c: { d: { e: { f: {} } } } } }] }
    const { fillIn } = openSchema({ properties: { deep: chain(7) } }, 'x', []).rows
    expect(fillIn({ deep })).toEqual({ deep: { a: [{ b: { c: { d: { e: { f: { g: 1 } } } } } }] } })
    const tree = { properties: { list: { items: { $ref: '#' } }, n: { default: 0 } } }
    expect(openSchema(tree, 'x', []).rows.fillIn({ list: [{ list: [{}] }] })).toEqual({
      list: [{ list: [{ n: 0 }], n: 0 }],
      n: 0,
    })
  })

  it.each<[string, Row, Row | undefined, Row]>([
    ['leaves them out of a new row', { score: 1, price: 2 }, undefined, { price: 2 }],
    ['keeps those of the old row', { price: 2 }, { score: 5 }, { price: 2, score: 5 }],
    [
      'does so inside objects',
      { address: { verified: true } },
      { address: { verified: false } },
      { address: { verified: false } },
    ],
    ['and inside new ones', { address: { verified: true, a: 1 } }, {}, { address: { a: 1 } }],
  ])('knows fields that only the server sets: %s', (_, row, old, kept) => {
    expect(rows.keepReadOnly(row, old)).toEqual(kept)
  })
})

/** A schema with a default that many levels down: `a`, of lists, then `b`, `c` and so on. */
function chain(depth: number, name = 'a'): object {
  if (depth === 0) return { default: 1 }
  const inner = chain(depth - 1, String.fromCharCode(name.charCodeAt(0) + 1))
  return { properties: { [name]: name === 'a' ? { items: inner } : inner } }
}

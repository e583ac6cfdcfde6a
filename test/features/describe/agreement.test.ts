import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ResourceSettings } from '../../../src/index.ts'
import { serve } from '../../support/http/serve.ts'

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema'
const TREE = {
  $id: 'https://example.com/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { value: { type: 'integer' }, children: { type: 'array', items: { $dynamicRef: '#node' } } },
}

/** A schema, rows that fit it, and rows that do not. */
const CASES: [string, ResourceSettings & { schema: object }, fits: object[], not: object[]][] = [
  [
    'an anchor',
    {
      schema: {
        properties: { home: { $ref: '#place' } },
        $defs: { a: { $anchor: 'place', required: ['city'], properties: { city: { type: 'string' } } } },
      },
    },
    [{ home: { city: 'Rome' } }, {}],
    [{ home: {} }, { home: { city: 1 } }],
  ],
  [
    'a schema that contains itself',
    { schema: { properties: { name: { type: 'string' }, boss: { $ref: '#' } }, required: ['name'] } },
    [{ name: 'a' }, { name: 'a', boss: { name: 'b', boss: { name: 'c' } } }],
    [
      { name: 'a', boss: {} },
      { name: 'a', boss: { name: 'b', boss: { name: 1 } } },
    ],
  ],
  [
    'a closed one that contains itself',
    {
      schema: { properties: { name: true, boss: { $ref: '#' } }, additionalProperties: false },
      timestamps: true,
    },
    [{ name: 'a' }, { boss: { boss: { name: 1 } } }],
    [{ boss: { nam: 'b' } }, { boss: { boss: { id: 1 } } }, { nam: 1 }],
  ],
  [
    'definitions that contain each other',
    {
      schema: {
        properties: { tree: { $ref: '#/$defs/node' }, other: { $ref: '#/$defs/list' } },
        $defs: {
          node: { type: 'object', properties: { v: { type: 'integer' }, kids: { $ref: '#/$defs/list' } } },
          list: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
      },
    },
    [{ tree: { v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }] } }, { other: [{ kids: [] }] }],
    [{ tree: { kids: [{ kids: [{ v: 'x' }] }] } }, { other: [{ kids: [1] }] }, { other: {} }],
  ],
  [
    'a root that is a reference',
    {
      schema: {
        $ref: '#/$defs/node',
        $defs: { node: { properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
      },
    },
    [{ v: 1, next: { v: 2, next: {} } }],
    [{ v: 'x' }, { next: { next: { v: 'x' } } }],
  ],
  [
    'a dynamic reference',
    { schema: { properties: { tree: { $ref: '#/$defs/tree' } }, $defs: { tree: TREE } } },
    [{ tree: { value: 1, children: [{ value: 2, children: [] }] } }],
    [{ tree: { children: [{ value: 'x' }] } }, { tree: { children: [{ children: [{ value: 'x' }] }] } }],
  ],
  [
    'a recursive reference of 2019-09',
    {
      schema: {
        $schema: DRAFT_2019,
        $recursiveAnchor: true,
        properties: { v: { type: 'integer' }, kids: { items: { $recursiveRef: '#' } } },
      },
    },
    [{ v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }] }],
    [{ kids: [{ kids: [{ v: 'x' }] }] }],
  ],
  [
    'dependencies of draft 7',
    {
      schema: {
        $schema: DRAFT_7,
        dependencies: {
          card: ['address'],
          vip: { properties: { points: { minimum: 10 } }, required: ['points'] },
        },
      },
    },
    [{ card: 1, address: 'x' }, { vip: true, points: 11 }, { address: 1 }],
    [{ card: 1 }, { vip: true }, { vip: true, points: 1 }],
  ],
  [
    'ids of parts',
    {
      schema: {
        $id: 'https://example.com/user',
        properties: { home: { $ref: 'address' }, work: { $ref: 'https://example.com/address#town' } },
        $defs: {
          a: {
            $id: 'address',
            required: ['city'],
            properties: { city: { $ref: '#/$defs/name' } },
            $defs: { name: { $anchor: 'town', type: 'string' } },
          },
        },
      },
    },
    [{ home: { city: 'Rome' }, work: 'Oslo' }],
    [{ home: {} }, { home: { city: 1 } }, { work: 1 }],
  ],
  [
    'an anchor of draft 7',
    {
      schema: {
        $schema: DRAFT_7,
        properties: { a: { $ref: '#count' } },
        definitions: { x: { $id: '#count', type: 'integer' } },
      },
    },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    'a reference beside which the same is said again',
    {
      schema: {
        properties: {
          a: { $ref: '#/$defs/big', minimum: 1, properties: { x: { type: 'string' } } },
          b: { $ref: '#/$defs/closed', properties: { y: true } },
        },
        $defs: {
          big: { minimum: 10, properties: { y: { type: 'string' } } },
          closed: { properties: { x: true }, additionalProperties: false },
        },
      },
    },
    [{ a: 10 }, { a: { x: 'x', y: 'y' } }, { b: { x: 1 } }],
    [{ a: 5 }, { a: { x: 1 } }, { a: { y: 1 } }, { b: { y: 1 } }],
  ],
  [
    'parts that say different things of one field',
    {
      schema: {
        allOf: [
          { properties: { a: { minimum: 5 } }, required: ['a'] },
          { properties: { a: { maximum: 9, type: 'integer' }, b: { type: 'string' } } },
          { minProperties: 2 },
        ],
        properties: { a: { minimum: 6 } },
      },
      timestamps: true,
    },
    [
      { a: 6, b: 'x' },
      { a: 9, c: 1 },
    ],
    [{ a: 5, b: 'x' }, { a: 10, c: 1 }, { a: 7.5, c: 1 }, { b: 'x', c: 1 }, { a: 7 }, { a: 7, b: 1 }],
  ],
  [
    'a part that is closed',
    {
      schema: {
        allOf: [
          { properties: { a: true }, additionalProperties: false },
          { properties: { a: { type: 'integer' } } },
        ],
      },
      timestamps: true,
    },
    [{ a: 1 }, {}],
    [{ b: 1 }, { a: 'x' }],
  ],
  [
    'one of several closed forms',
    {
      schema: {
        oneOf: [
          {
            properties: { kind: { const: 'circle' }, r: { type: 'number' } },
            required: ['kind'],
            additionalProperties: false,
          },
          {
            properties: { kind: { const: 'square' }, w: { type: 'number' } },
            required: ['kind'],
            unevaluatedProperties: false,
          },
        ],
      },
      timestamps: true,
    },
    [
      { kind: 'circle', r: 1 },
      { kind: 'square', w: 2 },
    ],
    [{ kind: 'circle', w: 1 }, { kind: 'square', r: 1 }, {}],
  ],
  [
    'names, patterns and numbers of fields',
    {
      schema: {
        propertyNames: { maxLength: 3 },
        patternProperties: { '^x': { type: 'integer' }, d: { type: 'boolean' } },
        maxProperties: 2,
      },
      timestamps: true,
    },
    [{ a: 1, xa: 2 }, { bd: true }],
    [{ long: 1 }, { xa: 'x' }, { bd: 1 }, { a: 1, b: 2, c: 3 }],
  ],
  [
    'a tuple of draft 7, and null as OpenAPI 3.0 has it',
    {
      schema: {
        $schema: DRAFT_7,
        properties: {
          at: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
          note: { type: 'string', nullable: true },
        },
      },
    },
    [{ at: [1, 2] }, { at: [] }, { note: null }],
    [{ at: [1, 'x'] }, { at: [1, 2, 3] }, { note: 1 }],
  ],
  [
    'what is never allowed',
    {
      schema: {
        properties: { a: { $ref: '#/$defs/never' }, b: { $ref: '#/$defs/any' } },
        $defs: { never: false, any: true },
      },
    },
    [{ b: 1 }, {}],
    [{ a: 1 }],
  ],
  [
    'fields that are called like keywords',
    {
      schema: {
        properties: {
          $ref: { type: 'string' },
          properties: { $ref: '#/$defs/required' },
          enum: { enum: [{ $ref: '#/x' }, 1] },
        },
        $defs: { required: { type: 'integer' } },
      },
    },
    [{ $ref: 'x', properties: 1, enum: { $ref: '#/x' } }],
    [{ $ref: 1 }, { properties: 'x' }, { enum: 2 }],
  ],
]

it.each<[string, object, object]>([
  ['an anchor', { $ref: '#price' }, { $anchor: 'price' }],
  ['a dynamic anchor', { $dynamicRef: '#price' }, { $dynamicAnchor: 'price' }],
  ['an id', { $ref: 'price' }, { $id: 'https://example.com/price' }],
])('what a schema says behind %s holds for what is sent', async (_, reference, name) => {
  const schema = {
    $id: 'https://example.com/thing',
    properties: { price: reference, made: { allOf: [reference], readOnly: true } },
    $defs: { price: { ...name, type: 'integer', default: 5 } },
  }
  const { url } = await serve({ data: { things: [] }, resources: { things: { schema } } })
  const post = async (body: string, type: string) => {
    const answer = await fetch(`${url}/things`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    return answer.json()
  }
  expect(await post('{"made":9}', 'application/json')).toEqual({ id: 1, price: 5, made: 5 })
  expect(await post('price=7', 'application/x-www-form-urlencoded')).toEqual({ id: 2, price: 7, made: 5 })
})

it.each(CASES)('/__schema judges as POST does: %s', async (_, things, fits, not) => {
  const { url } = await serve({ data: { things: [], others: [] }, resources: { things, others: things } })
  const validators = await Promise.all(
    ['/__schema/things', '/__schema'].map(async (path) => {
      const ajv = new Ajv2020({ strict: false })
      addFormats.default(ajv)
      const validate = ajv.compile(Object(await (await fetch(url + path)).json()))
      return (row: object) => validate(path === '/__schema' ? { things: [row], others: [] } : row)
    }),
  )
  const post = async (body: object) => {
    const answer = await fetch(`${url}/things`, { method: 'POST', body: JSON.stringify(body) })
    const row = z.record(z.string(), z.unknown()).parse(await answer.json())
    return { body, status: answer.status, row }
  }
  const good = await Promise.all(fits.map(post))
  expect(good.map(({ body, status }) => [body, status])).toEqual(fits.map((body) => [body, 201]))
  const added = Object.fromEntries(
    Object.entries(good[0]?.row ?? {}).filter(([name]) => ['id', 'createdAt', 'updatedAt'].includes(name)),
  )
  const bad = await Promise.all(not.map(post))
  expect(bad.map(({ body, status }) => [body, status])).toEqual(not.map((body) => [body, 422]))
  for (const validate of validators) {
    expect(good.map(({ row }) => [row, validate(row)])).toEqual(good.map(({ row }) => [row, true]))
    expect(not.map((body) => [body, validate({ ...body, ...added })])).toEqual(
      not.map((body) => [body, false]),
    )
  }
})

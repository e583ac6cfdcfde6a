import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../../src/core/kernel/util/single-flight.ts'
import {
  DEEPEST,
  MOST_PATHS,
  type Readable,
  type Surveys,
  survey,
  surveyed,
} from '../../../src/features/describe/survey.ts'
import { MOST_FIELDS, schemaOf } from '../../../src/features/describe/tally.ts'
import type { JsonSchema } from '../../../src/wings/schemas/json-schema.ts'
import { countReads } from '../../support/engine/count-reads.ts'

const infer = async (values: readonly unknown[]): Promise<JsonSchema> => schemaOf(await survey(values))
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

describe('a schema inferred from values', () => {
  it.each<[string, unknown[], JsonSchema]>([
    ['nothing', [], {}],
    ['integers', [1, -2, 3e20], { type: 'integer' }],
    ['integers and fractions', [1, 1.5], { type: 'number' }],
    ['what JSON cannot say', [1, Number.NaN], { type: ['integer', 'null'] }],
    ['strings', ['a', ''], { type: 'string' }],
    ['strings that may be null', ['a', null], { type: ['string', 'null'] }],
    ['booleans', [true, false], { type: 'boolean' }],
    ['nulls, of which nobody knows what they will be', [null], {}],
    ['several kinds', [1, 'a', true, null], { type: ['string', 'integer', 'boolean', 'null'] }],
    ['a format that all have', ['2026-01-01', '2026-01-02'], { type: 'string', format: 'date' }],
    ['a format that all have but nulls', [null, '2026-01-02'], { type: ['string', 'null'], format: 'date' }],
    ['a format that not all have', ['2026-01-01', 'tomorrow'], { type: 'string' }],
    ['a format that the first lacks', ['tomorrow', '2026-01-01'], { type: 'string' }],
    ['two formats', ['2026-01-01', 'https://example.com'], { type: 'string' }],
    ['lists', [[1], [2.5]], { type: 'array', items: { type: 'number' } }],
    ['empty lists', [[], []], { type: 'array' }],
    ['lists of lists', [[[1]]], { type: 'array', items: { type: 'array', items: { type: 'integer' } } }],
    [
      'objects with a field that some lack',
      [{ a: 1, b: 'x' }, { a: 2 }],
      { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a'] },
    ],
    [
      'a field that is null in some, which is not missing',
      [{ a: 1 }, { a: null }],
      { type: 'object', properties: { a: { type: ['integer', 'null'] } }, required: ['a'] },
    ],
    [
      'a field that is undefined in some, which is missing',
      [{ a: 1 }, { a: undefined }],
      { type: 'object', properties: { a: { type: 'integer' } } },
    ],
    [
      'a field that is always null',
      [{ a: null }, { a: null }],
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
    ['empty objects', [{}], { type: 'object' }],
    [
      'objects or null',
      [{ a: { b: 1 } }, { a: null }],
      {
        type: 'object',
        properties: {
          a: { type: ['object', 'null'], properties: { b: { type: 'integer' } }, required: ['b'] },
        },
        required: ['a'],
      },
    ],
    [
      'objects in lists, each seen as one of all',
      [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }],
      {
        type: 'object',
        properties: {
          a: {
            type: 'array',
            items: {
              type: 'object',
              properties: { b: { type: 'integer' }, c: { type: 'integer' } },
              required: ['b'],
            },
          },
        },
        required: ['a'],
      },
    ],
    [
      'a name that every object inherits',
      [JSON.parse('{"__proto__":1,"constructor":2}')],
      {
        type: 'object',
        properties: Object.fromEntries([
          ['__proto__', { type: 'integer' }],
          ['constructor', { type: 'integer' }],
        ]),
        required: ['__proto__', 'constructor'],
      },
    ],
    [
      'a secret, whose format is nobody’s business',
      [{ apiToken: '123e4567-e89b-12d3-a456-426614174000' }],
      { type: 'object', properties: { apiToken: { type: 'string' } }, required: ['apiToken'] },
    ],
    [
      'what is in a secret, whose format is none either',
      [{ apiKeys: ['2026-01-01'], secret: { since: '2026-01-01', at: [{ on: '2026-01-01' }] } }],
      {
        type: 'object',
        properties: {
          apiKeys: { type: 'array', items: { type: 'string' } },
          secret: {
            type: 'object',
            properties: {
              since: { type: 'string' },
              at: {
                type: 'array',
                items: { type: 'object', properties: { on: { type: 'string' } }, required: ['on'] },
              },
            },
            required: ['since', 'at'],
          },
        },
        required: ['apiKeys', 'secret'],
      },
    ],
  ])('of %s', async (_, values, schema) => {
    expect(await infer(values)).toEqual(schema)
  })
})

describe('the bounds of inference', () => {
  it('an object with more names than anybody gives is a dictionary', async () => {
    const words = Object.fromEntries(times(50_000, (n) => [`key ${n}`, n]))
    expect(await infer([words])).toEqual({ type: 'object', additionalProperties: { type: 'integer' } })
  })

  it('rows with names of their own keep the fields that they have in common', async () => {
    const rows = times(20_000, (n) => ({ id: n, name: 'x', [`own ${n}`]: n % 2 ? 'a' : null }))
    expect(await infer(rows)).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      required: ['id', 'name'],
      additionalProperties: { type: ['string', 'null'] },
    })
  })

  it('as many names as are told apart are all named', async () => {
    const { properties, additionalProperties } = await infer([
      Object.fromEntries(times(MOST_FIELDS, (n) => [`f${n}`, n])),
    ])
    expect(Object.keys(properties ?? {})).toHaveLength(MOST_FIELDS)
    expect(additionalProperties).toBeUndefined()
  })

  it('a resource has a limited number of places, however they are nested', async () => {
    const rows = times(200, (n) => ({
      id: n,
      [`group ${n}`]: Object.fromEntries(times(500, (m) => [`f${m}`, { [`x${m}`]: 1 }])),
    }))
    expect(JSON.stringify(await infer(rows)).length).toBeLessThan(MOST_PATHS * 100)
  })

  it('what is nested deeper than anybody nests is any object or list', async () => {
    let value: unknown = 'the bottom'
    for (let level = 0; level < 900; level++) value = level % 2 ? { a: value } : [value]
    const text = JSON.stringify(await infer([value]))
    expect(text).not.toContain('"string"')
    expect(text.match(/"type"/g)).toHaveLength(DEEPEST + 1)
  })

  it('all entries of a list of millions are looked at', async () => {
    const list: unknown[] = new Array(2_000_000).fill(1)
    list[1_999_999] = 'odd'
    expect(await infer([list])).toEqual({ type: 'array', items: { type: ['string', 'integer'] } })
  })
})

describe('surveys', () => {
  const surveyIn = (surveys: Surveys, name: string, { values, isCurrent }: Readable) =>
    surveys.get(name, isCurrent, () => surveyed(values))

  it('are kept as long as the resource is what it was', async () => {
    const posts = countReads([{ id: 1 }, { id: 2 }], 'id')
    const surveys: Surveys = new SingleFlight({ isKept: true })
    const first = await surveyIn(surveys, 'posts', { values: [null, ...posts.rows], isCurrent: () => true })
    expect(await surveyIn(surveys, 'posts', { values: [null, ...posts.rows], isCurrent: () => true })).toBe(
      first,
    )
    expect(posts.reads).toBe(2)
  })

  it('are made again when the resource has changed, also while one is being made', async () => {
    const surveys: Surveys = new SingleFlight({ isKept: true })
    const old = surveyIn(surveys, 'posts', { values: [{ id: 1 }], isCurrent: () => false })
    const fresh = surveyIn(surveys, 'posts', { values: [{ id: 'a' }], isCurrent: () => true })
    expect((await old).schema.properties).toEqual({ id: { type: 'integer' } })
    expect((await fresh).schema.properties).toEqual({ id: { type: 'string' } })
  })

  it('forget resources that are gone', async () => {
    const posts = countReads([{ id: 1 }], 'id')
    const surveys: Surveys = new SingleFlight({ isKept: true })
    const current = { values: [null, ...posts.rows], isCurrent: () => true }
    await surveyIn(surveys, 'posts', current)
    surveys.keepOnly(new Set(['others']))
    await surveyIn(surveys, 'posts', current)
    expect(posts.reads).toBe(2)
  })
})

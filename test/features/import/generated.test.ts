import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fits, json, listOf, ok, serveDescribed } from '../../support/described.ts'
import { runs, SEED } from '../../support/length.ts'

const NAMES = [
  'name',
  'email',
  'price',
  'createdAt',
  'avatar_url',
  'count',
  'tags',
  'note',
  'kind',
  'parent',
  'x-y',
  'constructor',
]

const text = fc.oneof(
  fc.record({
    type: fc.constant('string'),
    format: fc.constantFrom('date', 'date-time', 'email', 'uri', 'uuid', 'ipv4'),
  }),
  fc.record({
    type: fc.constant('string'),
    minLength: fc.nat(8),
    maxLength: fc.integer({ min: 8, max: 40 }),
  }),
  fc.record({
    type: fc.constant('string'),
    pattern: fc.constantFrom('^[A-Z]{2}\\d{3}$', '^\\+?\\d+$', '^(a|b)+c$'),
  }),
  fc.record({ enum: fc.uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 }) }),
  fc.constant({ type: ['string', 'null'] }),
)
const number = fc.oneof(
  fc.record({
    type: fc.constant('integer'),
    minimum: fc.integer({ min: -9, max: 9 }),
    maximum: fc.integer({ min: 10, max: 99 }),
  }),
  fc.record({ type: fc.constant('number'), exclusiveMinimum: fc.integer({ min: 0, max: 9 }) }),
  fc.constant({ type: 'boolean' }),
)
const reference = fc.constantFrom('A', 'B', 'C').map((name) => ({ $ref: `#/components/schemas/${name}` }))
const { value } = fc.letrec<{ value: object; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    reference,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('value'), maxItems: fc.constant(3) }),
    fc.record({ anyOf: fc.array(tie('value'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      allOf: fc.tuple(
        tie('object'),
        fc.constant({ type: 'object', properties: { more: { type: 'string' } } }),
      ),
    }),
  ),
  object: objectOf(tie('value')),
}))

function objectOf(inner: fc.Arbitrary<object>, needs = fc.nat(1)) {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 5, noNullPrototype: true })
  return fc.tuple(properties, needs).map(([fields, share]) => ({
    type: 'object',
    properties: fields,
    // What is required leads to no other schema, or a cycle could have no end.
    required:
      share === 0 ? [] : Object.keys(fields).filter((name) => !JSON.stringify(fields[name]).includes('$ref')),
  }))
}

const row = objectOf(value).chain((own) =>
  fc.constantFrom({ type: 'integer' }, { type: 'string' }, { type: 'string', format: 'uuid' }).map((id) => ({
    ...own,
    properties: { id, ...own.properties },
    required: ['id', ...own.required],
  })),
)
const named = fc.record({ A: objectOf(value), B: objectOf(value), C: text })
const wrapper = fc.constantFrom(undefined, 'data', 'items')

it('what is imported at random is served with the documented status and body', async () => {
  const description = fc.tuple(fc.array(row, { minLength: 1, maxLength: 3 }), named, wrapper, fc.boolean())
  await fc.assert(
    fc.asyncProperty(description, async ([rows, schemas, wrap, isNested]) => {
      const around = (schema: object) =>
        wrap === undefined
          ? schema
          : {
              type: 'object',
              required: [wrap, 'total'],
              properties: { [wrap]: schema, total: { type: 'integer' } },
            }
      const gets: [path: string, schema: object][] = rows.flatMap((schema, at): [string, object][] => {
        const before = isNested && at > 0 ? `/v1/c0/{c0}` : '/v1'
        return [
          [`${before}/c${at}`, around(listOf(schema))],
          [`/v1/c${at}/{id}`, schema],
        ]
      })
      const paths = Object.fromEntries(
        gets.map(([path, schema]) => [path, { get: { responses: ok(schema) } }]),
      )
      for (const [at, schema] of rows.entries())
        Object.assign(paths[`/v1/c${at}`] ?? {}, {
          post: { requestBody: json(schema), responses: ok(schema) },
        })
      const document = { openapi: '3.1.0', paths, components: { schemas } }
      const { ask, data, report } = await serveDescribed(document, { rows: 3 })
      expect(report.operations.used + report.operations.unused).toBe(report.operations.all)
      for (const [path, schema] of gets) {
        const name = /c\d(?=$|\/\{id\})/.exec(path)?.[0] ?? ''
        const made = data[name]
        if (!Array.isArray(made) || made.length === 0) continue
        const [first] = (data.c0 ?? []) as readonly { id: unknown }[]
        const filled = path.replace('{c0}', String(first?.id)).replace('{id}', encodeURIComponent(made[0].id))
        const { status, body } = await ask(filled)
        expect([filled, status]).toEqual([filled, 200])
        expect(fits(document, schema, body)).toBeUndefined()
      }
    }),
    { seed: SEED, ...runs(8, 150) },
  )
})

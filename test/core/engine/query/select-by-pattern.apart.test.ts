import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { Condition, ListQuery, Row, Selection, Where } from '../../../../src/core/engine/types.ts'
import { cpuTime } from '../../../support/cpu-time.ts'
import { runs } from '../../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

function find(items: readonly Row[], where: readonly Where[]): Promise<Selection> {
  const query: ListQuery = { where, sort: [], window: { kind: 'all' }, embed: [], expand: [] }
  return select(Table.of(items), query, NAMING.id)
}

const like = (path: string, ...values: string[]): Condition => ({ path, op: 'like', values })

const WORDS = [
  'needle',
  'NEEEDLE',
  'Kelvin',
  '\u212aelvin',
  'é',
  'ΑΣ',
  'STRASSE',
  'c++[',
  'x\ny',
  'aa',
  '',
  5,
  -0,
]

it('finds what JavaScript finds: text, anchored text, patterns; in groups and negated; by an index or without', async () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(...WORDS, null, true, 'n', 'ne'),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    fc.record({ b: fc.constantFrom(...WORDS) }, { noNullPrototype: true }),
  )
  const pattern = fc.constantFrom(
    ...[
      'needle',
      '^ne',
      '^NE',
      '^needle$',
      'e$',
      '^k',
      '^kelvin',
      '^',
      '$',
      '^é',
      '^5',
      '^0',
      '^-',
      '^c++[',
      '^x',
      '^tr',
    ],
    ...[
      'ne+dle',
      '^n?e',
      '^(ne|k)',
      '(a+)+$',
      '^[a-k]',
      'É+',
      'ς+',
      'straße?',
      'x.y',
      '^\\s*$',
      '[',
      'C++',
      '^a|e$',
    ],
  )
  const matches = (patterns: readonly string[], value: unknown) =>
    value !== null && value !== undefined && patterns.some((text) => expressionOf(text).test(String(value)))
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 12 }),
      fc.array(pattern, { minLength: 1, maxLength: 3 }),
      pattern,
      fc.boolean(),
      async (values, first, second, isNegated) => {
        const items = Array.from({ length: values.length * 8 }, (_, id) => ({
          id,
          a: values[id % values.length],
        }))
        const passes = (a: unknown) =>
          matches(first, a) && (isNegated ? !matches([second], a) : matches([second], a))
        const other = like('a', second)
        const found = await find(items, [like('a', ...first), isNegated ? { not: other } : { or: [other] }])
        expect(found.items).toEqual(items.filter(({ a }) => passes(a)))
      },
    ),
    runs(300),
  )
})

describe('long texts', () => {
  it.each(['ne+dle', '^x+$', '(x+x+)+y', '(x|xx)+$', 'x{50}y'])(
    'let others run meanwhile, or are refused: %s',
    async (pattern) => {
      const items = Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(70_000 + id) }))
      // A busy machine makes all wait: only as long as this process computes, it may be what others wait for.
      const now = () => [performance.now(), cpuTime()] as const
      let longest = 0
      let last = now()
      const timer = setInterval(() => {
        const next = now()
        longest = Math.max(longest, Math.min(next[0] - last[0], next[1] - last[1]))
        last = next
      }, 1)
      try {
        const found = await find(items, [like('text', pattern)]).catch((error: unknown) => error)
        if (found instanceof Error) expect(found).toMatchObject({ code: 'INVALID_QUERY' })
        else expect(found).toMatchObject({ total: pattern.endsWith('$') ? 40 : 0 })
      } finally {
        clearInterval(timer)
      }
      expect(longest).toBeLessThan(500)
    },
  )
})

function expressionOf(text: string): RegExp {
  const isInvalid = ['[', 'C++', '^c++['].includes(text)
  return new RegExp(isInvalid ? text.replace(/[[+^]/g, '\\$&') : text, 'i')
}

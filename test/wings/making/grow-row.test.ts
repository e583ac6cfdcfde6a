import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/core/engine/types.ts'
import { Random } from '../../../src/core/kernel/util/random.ts'
import { loadFakes } from '../../../src/wings/making/fakes.ts'
import { growRow, type Learnable, learn } from '../../../src/wings/making/grow-row.ts'
import { keysIn } from '../../../src/wings/making/keys.ts'

const fakes = await loadFakes()

async function grown(learnable: Partial<Learnable>, count = 50, seed = '7'): Promise<readonly Row[]> {
  const profile = await learn({ resource: 'things', id: 'id', rows: [], ...learnable })
  const random = new Random(seed)
  return Array.from({ length: count }, () => growRow(profile, random))
}

/** The values of a field in new rows. */
async function grownValues(values: readonly unknown[], learnable: Partial<Learnable> = {}, count = 50) {
  const rows = values.map((value, at) => ({ id: at + 1, ...(value !== undefined && { field: value }) }))
  return (await grown({ rows, ...learnable }, count)).map(({ field }) => field)
}

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.lorem({ maxCount: 6 }),
  fc.emailAddress({ size: '-1' }),
  fc.uuid(),
  fc.stringMatching(/^[A-Z]{2}-\d{3}$/),
)
const json = fc.jsonValue({ maxDepth: 3 })
const field = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null), json)
const rowsOf = (value: fc.Arbitrary<unknown>, most = 25) =>
  fc.array(fc.record({ a: value, b: field, constructor: field }, { requiredKeys: ['a'] }), {
    minLength: 1,
    maxLength: most,
  })

const RUNS = { numRuns: 30, endOnFailure: true }

describe('the same seed', () => {
  it.each([
    ['without faker', undefined],
    ['with faker', fakes],
  ])('makes the same rows, and changes none of those that are there: %s', async (_, source) => {
    await fc.assert(
      fc.asyncProperty(rowsOf(field), fc.string(), async (rows, seed) => {
        const before = JSON.stringify(rows)
        const learnable = { rows, fakes: source }
        expect(await grown(learnable, 5, seed)).toEqual(await grown(learnable, 5, seed))
        expect(JSON.stringify(rows)).toBe(before)
      }),
      RUNS,
    )
  })

  it('makes these rows on every machine, and in every version', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({
      id: at + 1,
      title: `${['Red', 'Blue', 'Green'][at % 3]} ${['desk', 'lamp', 'chair', 'shelf'][at % 4]}`,
      price: ((at * 7919) % 100) + 0.99,
      at: `2026-01-${String(at + 10)}T0${at % 10}:30:00Z`,
      sku: `A-${100 + at * 7}`,
    }))
    expect(await grown({ rows }, 3)).toMatchInlineSnapshot(`
      [
        {
          "at": "2026-01-13T09:25:44Z",
          "id": undefined,
          "price": 83.84,
          "sku": "A-002",
          "title": "Green chair",
        },
        {
          "at": "2026-01-17T10:34:20Z",
          "id": undefined,
          "price": 46.76,
          "sku": "A-003",
          "title": "Blue desk",
        },
        {
          "at": "2026-01-10T10:32:52Z",
          "id": undefined,
          "price": 84.06,
          "sku": "A-004",
          "title": "Green shelf",
        },
      ]
    `)
  })

  it('is followed by others that differ', async () => {
    const values = Array.from({ length: 30 }, (_, at) => at * 13)
    const [one, other] = [
      await grownValues(values),
      await grown({ rows: values.map((field) => ({ field })) }, 50, '8'),
    ]
    expect(one).not.toEqual(other.map(({ field: value }) => value))
  })
})

describe('values', () => {
  it.each<[string, readonly unknown[], (value: unknown) => boolean]>([
    [
      'few are drawn from',
      ['open', 'closed', 'open', 'open'],
      (value) => ['open', 'closed'].includes(String(value)),
    ],
    [
      'decimals',
      [1.25, 7.5, 3.75, 9.99],
      (value) => /^\d(\.\d{1,2})?$/.test(String(value)) && Number(value) <= 9.99,
    ],
    ['large numbers', [1e21, 2e21, 3e21], (value) => [1e21, 2e21, 3e21].includes(Number(value))],
    ['UUIDs', ['3f0c2a5e-8d1b-4c6f-9a7e-5b2d4e8f1a3c'], (value) => /^[\da-f-]{36}$/.test(String(value))],
    ['addresses', ['ada@a.test', 'bob@b.test'], (value) => /^[\w+.]+@[ab]\.test$/.test(String(value))],
    [
      'links',
      ['https://a.test/img/1.png', 'https://a.test/img/9.png'],
      (value) => /^https:\/\/a\.test\/img\/[1-9]\.png$/.test(String(value)),
    ],
    ['phones', ['555-0101', '555-0199', '555-0155'], (value) => /^555-01\d\d$/.test(String(value))],
    ['codes', ['V1StGXR', 'a9Kd02x', 'Qq8yT5z'], (value) => /^[A-Za-z\d]{7}$/.test(String(value))],
    [
      'dates',
      ['2026-01-01', '2026-03-31'],
      (value) => String(value) >= '2026-01-01' && String(value) <= '2026-03-31',
    ],
    [
      'local times',
      ['2026-01-01 10:00', '2026-01-02 11:30'],
      (value) => /^2026-01-0[12] \d\d:[0-5]\d$/.test(String(value)),
    ],
    ['times of day', ['08:00', '17:45'], (value) => /^(0[89]|1[0-7]):[0-5]\d$/.test(String(value))],
    [
      'offsets',
      ['2026-01-01T00:00:00.000+02:00', '2026-01-05T00:00:00.000+02:00'],
      (value) => /^2026-01-0[1-5]T\d\d:\d\d:\d\d\.\d{3}\+02:00$/.test(String(value)),
    ],
    [
      'sentences',
      ['The red desk', 'A blue lamp'],
      (value) => ['The red desk', 'A blue lamp'].includes(String(value)),
    ],
    [
      'lists of objects that are alike',
      [
        [{ a: 1 }, { a: 1 }],
        [{ a: 1 }, { a: 1 }, { a: 1 }],
      ],
      (value) => Array.isArray(value) && value.length >= 2,
    ],
    [
      'tuples',
      [
        [1, 'a'],
        [9, 'b'],
      ],
      (value) => Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string',
    ],
    [
      'lists',
      [['a', 'b'], [], ['c', 'a', 'd', 'e', 'f']],
      (value) => Array.isArray(value) && value.length <= 5 && new Set(value).size === value.length,
    ],
    [
      'objects',
      [
        { lat: 1.5, on: true },
        { lat: 9.5, on: false },
      ],
      (value) => /^{"lat":\d(\.\d)?,"on":(true|false)}$/.test(JSON.stringify(value)),
    ],
  ])('are like those that there are: %s', async (_, values, isLike) => {
    for (const source of [undefined, fakes]) {
      for (const value of await grownValues(values, { fakes: source })) expect(value).toSatisfy(isLike)
    }
  })

  it.each([
    ['codes', (at: number) => `AB-${1003 + at * 3}`, /^AB-\d{4}$/],
    ['ZIP codes', (at: number) => String(10122 + at * 1117), /^\d{5}$/],
    ['days', (at: number) => `${11 + at}.05.2024`, /^(?:1\d|20)\.05\.2024$/],
    ['addresses', (at: number) => `10.0.0.${at * 25}`, /^10\.0\.0\.(?:1?\d?\d|2[0-4]\d|25[0-5])$/],
    ['latitudes', (at: number) => (5251 + at) / 100, /^52\.(?:5[1-9]|6)$/],
    ['years', (at: number) => 2010 + at, /^201\d$/],
    ['depths', (at: number) => -1 - at, /^-(?:\d|10)$/],
  ])('keep their form, however many: %s', async (_, nth, form) => {
    for (const value of await grownValues(
      Array.from({ length: 10 }, (_, at) => nth(at)),
      {},
      500,
    ))
      expect(String(value)).toMatch(form)
  })

  it('are drawn from what repeats, even in few rows', async () => {
    const values = ['in progress', 'on hold', 'in progress', 'on hold', 'not started']
    for (const value of await grownValues(values, {}, 50)) expect(values).toContain(value)
  })

  it('stay in the range, and as long as they were', async () => {
    const numbers = fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      minLength: 1,
      maxLength: 30,
    })
    const words = fc.array(texts, { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(numbers, words, async (values, strings) => {
        for (const value of await grownValues(values, {}, 20)) {
          expect(value).toBeGreaterThanOrEqual(Math.min(...values))
          expect(value).toBeLessThanOrEqual(Math.max(...values))
        }
        const lengths = strings.map(({ length }) => length)
        const unique = new Set(strings).size === strings.length
        for (const value of unique ? [] : await grownValues(strings, {}, 20)) {
          expect(String(value).length).toBeGreaterThanOrEqual(Math.min(...lengths))
          expect(String(value).length).toBeLessThanOrEqual(Math.max(...lengths))
        }
      }),
      RUNS,
    )
  })

  it('are missing, null and of each kind as often as they were', async () => {
    const values = [...Array(50).fill(undefined), ...Array(25).fill(null), ...Array(25).fill(true)]
    const made = await grownValues(values, {}, 2000)
    const share = (value: unknown) => made.filter((each) => each === value).length / made.length
    expect(share(undefined)).toBeCloseTo(0.5, 1)
    expect(share(null)).toBeCloseTo(0.25, 1)
    expect(share(true)).toBeCloseTo(0.25, 1)
  })
})

describe('texts of faker', () => {
  const names = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Edsger Dijkstra']
  it('take the place of those that look like them', async () => {
    const rows = names.map((name, at) => ({
      id: at,
      name,
      city: `City${at}`.replace(/\d/, 'ville'),
      note: name,
    }))
    const made = await grown({ resource: 'users', rows, fakes }, 20)
    const isNew = (value: unknown) => !names.join(' ').includes(String(value).split(' ')[0] ?? '')
    expect(made.filter(({ name }) => isNew(name)).length).toBeGreaterThan(15)
    expect(made.filter(({ note }) => isNew(note))).toEqual([])
    for (const { name } of made) expect(name).toMatch(/^\S+ \S+$/)
  })

  it('do not take the place of others', async () => {
    const rows = ['x1', 'x2', 'x9'].map((name) => ({ name }))
    for (const { name } of await grown({ resource: 'users', rows, fakes })) expect(name).toMatch(/^x\d$/)
  })
})

describe('keys', () => {
  const keyOf = async (field: string, rows: readonly Row[], count: number) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1)
    const used = (await keysIn(rows, (path) => path === field)).get(field) ?? []
    return new Map([[field, { parents: ids, used, isUnique: false }]])
  }

  it('point at parents, as often as they did', async () => {
    const rows = [...Array(80).fill(1), ...Array(15).fill(2), 3, 3, 3, 3, 3].map((parentId) => ({ parentId }))
    const made = await grown({ rows, keys: await keyOf('parentId', rows, 10) }, 2000)
    const share = (id: number) => made.filter(({ parentId }) => parentId === id).length / made.length
    expect(share(1)).toBeCloseTo(0.8, 1)
    expect(share(2)).toBeCloseTo(0.15, 1)
    expect(share(9)).toBeLessThan(0.05)
  })

  it('are different where they were, as long as there are parents', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map((parentId) => ({ parentId }))
    const keys = await keyOf('parentId', rows, 10)
    const made = await grown({ rows, keys }, 4)
    expect(made.map(({ parentId }) => Number(parentId)).sort((a, b) => a - b)).toEqual([7, 8, 9, 10])
  })

  it('in lists point at parents, each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 9 }),
        async (lists) => {
          const rows = lists.map((tag_ids) => ({ tag_ids }))
          for (const { tag_ids } of await grown({ rows, keys: await keyOf('tag_ids', rows, 6) }, 10)) {
            const ids = tag_ids as readonly number[]
            expect(new Set(ids).size).toBe(ids.length)
            for (const id of ids) expect(id).toSatisfy((each) => Number(each) >= 1 && Number(each) <= 6)
          }
        },
      ),
      RUNS,
    )
  })
})

describe('unique fields', () => {
  it('hold', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(fc.oneof(texts, fc.integer()), 12), fc.boolean(), async (rows, isPair) => {
        const keyOf = ({ a }: Row) => String(a)
        const distinct = [...new Map(rows.map((row) => [keyOf(row).toLowerCase(), row])).values()]
        const all = distinct.map((row) => ({ ...row, b: 'x' }))
        const made = await grown({ rows: all, unique: [isPair ? ['a', 'b'] : ['a']] }, 20)
        const keys = [...all, ...made].map(keyOf)
        expect(new Set(keys).size).toBe(new Set(all.map(keyOf)).size + 20)
      }),
      RUNS,
    )
  })

  it('fit the pattern of the schema as long as it has any left', async () => {
    const pattern = '^AB-\\d{2}$'
    const rows = Array.from({ length: 10 }, (_, at) => ({ sku: `AB-${10 + at * 2}` }))
    const made = await grown({ rows, unique: [['sku']], schema: { properties: { sku: { pattern } } } }, 80)
    for (const { sku } of made) expect(sku).toMatch(new RegExp(pattern))
    expect(new Set([...rows, ...made].map(({ sku }) => sku)).size).toBe(90)
  })

  it('hold where numbers are also written as text', async () => {
    const rows = [{ a: 1 }, { a: '2' }, { a: '3' }, { a: 1e300 }]
    const made = await grown({ rows, unique: [['a']] }, 20)
    expect(new Set([...rows, ...made].map(({ a }) => String(a))).size).toBe(24)
  })

  it('hold in a field with a dot in its name', async () => {
    const rows = [{ 'item.no': 1 }, { 'item.no': 2 }]
    const made = await grown({ rows, unique: [['item.no']] }, 20)
    expect(made.flatMap(Object.keys)).not.toContain('item')
    expect(new Set([...rows, ...made].map((row) => row['item.no'])).size).toBe(22)
  })

  it.each([
    ['p-001', ['p-001', 'p-004'], ['p-005', 'p-006']],
    ['numbers in text', ['1', '2', '10'], ['11', '12']],
  ])('continue as ids: %s', async (_, ids, next) => {
    const made = await grown({ rows: ids.map((id) => ({ id, n: 1 })) }, 2)
    expect(made.map(({ id }) => id)).toEqual(next)
  })

  it.each([
    ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
    ['nanoid', /^[\w-]{21}$/],
  ] as const)('are made for ids: %s', async (ids, pattern) => {
    const made = await grown({ rows: [{ id: 1 }], ids }, 50)
    expect(new Set(made.map(({ id }) => id)).size).toBe(50)
    for (const { id } of made) expect(id).toMatch(pattern)
  })
})

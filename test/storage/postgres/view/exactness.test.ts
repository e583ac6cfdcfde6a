import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/storage/engine.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Condition, ListQuery, Operator, SortKey } from '../../../../src/storage/types.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

function where(path: string, op: Operator, ...values: string[]): Partial<ListQuery> {
  const condition: Condition = { path, op, values }
  return { where: [condition] }
}

function sort(path: string, order: SortKey['order']): Partial<ListQuery> {
  return { sort: [{ path, order }] }
}

const long = 'x'.repeat(200)
const many = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`f${at}`, at]))
let deep: unknown = 7
for (let level = 0; level < 15; level++) deep = { d: deep }

/** Where PostgreSQL stores, compares or sorts otherwise than JavaScript, or knows too little of a row. */
const CASES: readonly [name: string, values: readonly unknown[], queries: readonly Partial<ListQuery>[]][] = [
  [
    'texts of which the same beginning is stored',
    [long, `${long}y`, `${long}z`],
    [where('a', 'eq', long), where('a', 'ne', `${long}y`), where('a', 'gte', `${long}y`), sort('a', 'desc')],
  ],
  [
    'texts that cannot be stored',
    ['a\0b', 'a\ufffdb', 'a\ud83db', 'a'],
    [
      where('a', 'eq', 'a\0b'),
      where('a', 'nin', 'a\ufffdb'),
      where('a', 'lte', 'a\0b'),
      sort('a', 'asc'),
      { search: 'a\0b' },
      { search: '\ud83d' },
    ],
  ],
  [
    'texts that sort otherwise in UTF-8',
    ['\uffee', '😀', '日', 'z'],
    [sort('a', 'asc'), where('a', 'gt', '\uffee'), where('a', 'between', '日', '😀')],
  ],
  [
    'null, and nothing',
    [null, undefined, 2, null, 1, undefined],
    [sort('a', 'asc'), sort('a', 'desc'), where('a', 'null', 'true'), where('a', 'ne', '1')],
  ],
  [
    'booleans',
    [true, false, true],
    [where('a', 'gte', '1'), where('a', 'eq', 'true'), where('a', 'between', '0', '0'), sort('a', 'desc')],
  ],
  [
    'several kinds',
    [10, '9', true, null, '10', 2],
    [where('a', 'eq', '10'), where('a', 'gte', '9'), sort('a', 'asc')],
  ],
  [
    'lists and objects',
    [[1, 2], { b: 1 }, 1, '1,2', [{ b: 1 }]],
    [
      where('a', 'eq', '1,2'),
      where('a', 'in', '1'),
      where('a.b', 'eq', '1'),
      where('a.0', 'eq', '1'),
      where('a.length', 'eq', '2'),
    ],
  ],
  [
    'what words leave out, and what stands in several of them',
    [[0, 'a'], [false, ''], ['x', 'y'], 'x,y', [{ b: 1 }, 'x'], [['x'], 'y'], 0, false, '', { b: 'x' }],
    [
      ...['0', 'false', 'x,y', ',a', '', 'x', '[object Object],x'].flatMap((value) => [
        where('a', 'eq', value),
        where('a', 'in', value),
        where('a', 'contains', value),
        where('a', 'like', value),
      ]),
      where('a', 'startsWith', 'X,'),
      where('a', 'endsWith', ',Y'),
      where('a', 'like', 'fals'),
      where('a', 'like', 'object'),
      where('a', 'like', '^x(,)y$|^0,a$'),
      where('a.b', 'eq', 'x'),
      where('a.1', 'eq', 'y'),
    ],
  ],
  [
    'patterns of letters that have several cases',
    ['Größe', 'GRÖSSE', 'kelvin \u212a', 'ΟΔΟΣ', 'Ǆ', 'a1b22c', 'İstanbul', 'ΣΑΣ', 'xyz', 'ϑx', 'bcd'],
    [
      ...[
        'GRÖ',
        'öß',
        'k$',
        'οδο',
        'ος$',
        'ǆ',
        'a\\d+b(2){2}c',
        'i',
        'stan',
        'σασ',
        'a1?b',
        '(a1)+b',
        'xq*y',
        'θx',
        '[ab]cd',
        'gr.?ß',
      ].map((pattern) => where('a', 'like', pattern)),
      where('a', 'contains', 'ΟΔΟΣ'),
      where('a', 'contains', 'i̇s'),
      where('a', 'eq', 'ΣΑΣ'),
    ],
  ],
  [
    'lines, and letters with two small ones',
    ['a\nb', 'a', 'b', 'ΑΣ', '\u212a'],
    [
      { search: 'a\nb' },
      { search: 'ας' },
      where('a', 'contains', 'k'),
      where('a', 'endsWith', 'σ'),
      where('a', 'like', 'k'),
    ],
  ],
  [
    'signs that mean something in a pattern',
    ['50%', '5_', '\\', '500'],
    [{ search: '%' }, { search: '_' }, { search: '\\' }, where('a', 'contains', '0%')],
  ],
]

describe.skipIf(!hasPostgres)(
  `PostgreSQL and JavaScript agree on${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let engine: PostgresEngine
    beforeAll(async () => {
      engine = await openPostgres(await freshAddress(), { ...naming, sample: () => ({}) })
    })
    afterAll(() => engine.close())

    async function answers(of: Engine, queries: readonly Partial<ListQuery>[]): Promise<unknown[]> {
      const all: unknown[] = []
      for (const query of queries) {
        all.push((await of.read({ kind: 'list', collection: 'items', query: { ...ALL, ...query } })).found)
      }
      return all
    }

    async function agree(items: readonly unknown[], queries: readonly Partial<ListQuery>[]): Promise<void> {
      const stored = () => JSON.parse(JSON.stringify({ items }))
      await engine.write({ kind: 'replace-database', data: stored() })
      expect(await answers(engine, queries)).toEqual(
        await answers(new LocalEngine(stored(), naming), queries),
      )
    }

    it.each(CASES)('%s', async (_, values, queries) => {
      await agree(
        values.map((a, at) => (a === undefined ? { id: at } : { id: at, a })),
        queries,
      )
    })

    it.each<[string, unknown]>([
      ['too many fields', { id: 9, a: 1, ...many }],
      ['too many levels', { id: 9, a: 1, deep }],
    ])('a row with %s', async (_, odd) => {
      await agree(
        [{ id: 1, a: 1 }, odd, { id: 3, a: 2 }],
        [
          where('a', 'eq', '1'),
          where('a', 'ne', '2'),
          where('f300', 'eq', '300'),
          sort('a', 'desc'),
          { search: '300' },
        ],
      )
    })

    it('a name with a dot, which is a path as well', async () => {
      const items = [
        { id: 1, 'a.b': 1 },
        { id: 2, a: { b: 2 } },
        { id: 3, a: { b: 1 } },
        { id: 4, 'a.b': 5, a: { b: 1 } },
      ]
      await agree(items, [where('a.b', 'eq', '1'), where('a.b', 'gte', '2'), sort('a.b', 'desc')])
    })

    it('values that stand side by side, which are no text together', async () => {
      await agree(
        [
          { id: 1, a: 'x', b: 'y' },
          { id: 2, a: 'x\ny' },
        ],
        [{ search: 'x\ny' }, { search: 'x' }],
      )
    })

    it('a field that no row has any more', async () => {
      await agree([{ id: 1, a: 1 }, { id: 2 }], [where('a', 'eq', '9')])
      await engine.write({ kind: 'remove', collection: 'items', id: '1' })
      const local = new LocalEngine({ items: [{ id: 2 }] }, naming)
      expect(await answers(engine, [where('a', 'eq', '9')])).toEqual(
        await answers(local, [where('a', 'eq', '9')]),
      )
    })
  },
)

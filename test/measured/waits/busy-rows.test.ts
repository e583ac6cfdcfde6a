import { describe, expect, it } from 'vitest'
import type { RealServer } from '../../support/child/real-server.ts'
import { burst, type Change } from '../../support/hostile/burst.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'
import { scene } from '../../support/hostile/scene.ts'

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const query = (count: number, part: (n: number) => string) => times(count, part).join('&')

type Act = (server: RealServer) => Promise<unknown>

/** A request that must be answered correctly. */
function get(path: string, status = 200): Act {
  return async ({ ask }) => expect((await ask('GET', path)).status).toBe(status)
}

/** Writes that arrive while the first is being saved are saved together. */
function writes(count: number, ...kinds: ((n: number) => Change)[]): Act {
  return async ({ port }) => {
    const statuses = await burst(port, times(count, (n) => kinds.map((kind) => kind(n))).flat())
    expect(statuses).toHaveLength(count * kinds.length)
    expect(statuses.filter((status) => status >= 300)).toEqual([])
  }
}

const hugeList = (length: number) => [
  { id: 1, list: times(length, (n) => n % 10) },
  { id: 2, list: [1] },
]
const TEXT = 'the quick brown fox jumps over the lazy dog '
const LONG_TEXTS = {
  items: [
    { id: 0, text: TEXT.repeat(30_000) },
    ...times(64, (n) => ({ id: n + 1, text: TEXT.repeat(200) })),
    { id: 'a', text: 'ab'.repeat(1_000_000) },
  ],
}
const COMPANIES = times(10_000, (n) => ({ id: n + 1, name: `Company ${n}` }))
const PRODUCTS = times(100_000, (n) => ({
  id: n + 1,
  name: `p${n}`,
  size: n % 7,
  company_id: (n % 10_000) + 1,
}))
/** One product of several companies, as people write it, and one of nobody knows what. */
const ODD_KEYS = {
  companies: [...COMPANIES, { id: [1, 2] }, { id: { a: 1 } }, { id: 1 }],
  products: [...PRODUCTS, { id: 'many', company_id: [1, 2] }, { id: 'odd', company_id: { a: 1 } }],
  reviews: PRODUCTS.map(({ id }) => ({ id, product_id: id })),
}
/** One post has more tags than there are, 10 MB of them, and many have a few. */
const KEY_LISTS = {
  posts: [
    { id: 0, tag_ids: times(1_400_000, (n) => n % 300_000), name: 'all' },
    ...times(20_000, (n) => ({ id: n + 1, tag_ids: [n % 5000, (n * 7) % 5000], name: `p${n}` })),
  ],
  tags: times(5000, (n) => ({ id: n, name: `t${n}` })),
}
const MANY_ROWS = { items: PRODUCTS, others: [{ id: 1 }] }
const TWINS = { items: [...PRODUCTS, { id: 7 }, { id: 7 }] }

const ALL_EQUAL = `_sort=${times(29, (n) => `x${n}`).join()},name&_order=desc&_limit=1`
const SOME_EQUAL = '_sort=size,a,b,c,d,e,f,g,h,i,j,name&_limit=1'
const SLOW_TO_COMPILE = encodeURIComponent(`${'[à-ɏ][Ā-ɐ]'.repeat(4)}\\w{60}\\b`)
const NESTED = query(50, (n) => `list.c${n}=1`)
/** Of millions of entries, enough to take a second. */
const A_FEW_NESTED = query(20, (n) => `list.c${n}=1`)

const SCENES: readonly [string, Parameters<typeof scene>[0], (readonly [string, Act])[]][] = [
  [
    'one row with a list of millions',
    { data: { items: hugeList(3_300_000) } },
    [
      ['20 nested filters', get(`/items?${A_FEW_NESTED}&_limit=0`)],
      ['20 nested ranges', get(`/items?${A_FEW_NESTED.replaceAll('=', '_gte=')}`)],
      ['filters on the list itself', get('/items?list=1,2&list_ne=1&list_gte=5&list_lte=4')],
      ['its entries', get('/items?list_nin=x&list_gt=9e9&list_in=x,y&list_between=x,y&list_null=false')],
      ['parts of its entries', get('/items?list_contains=x&list_startsWith=x&list_endsWith=x')],
      ['its entries, in _where', get(`/items?_where={"or":[{"list":["x"]},{"not":{"list":{"nin":["y"]}}}]}`)],
      ['patterns, which such a text is too long for', get('/items?list_like=0,1,9&list_like=9{8}', 400)],
      ['a search', get('/items?q=nothing')],
      ['an order', get('/items?_sort=list&_limit=0')],
      ['a path that no row has', get('/items?list.a.b.c=1&_limit=0')],
    ],
  ],
  [
    'one row with a list of millions of objects',
    { data: { items: [{ id: 1, m: times(2_000_000, () => ({ a: 1 })) }, { id: 2 }] } },
    [['50 paths that no row has', get(`/items?${query(25, (n) => `m.v.w${n}_ne=1&m.w${n}=2`)}`)]],
  ],
  [
    'texts of megabytes',
    { data: LONG_TEXTS },
    [
      [
        '20 patterns, which they are too long for',
        get(`/items?${query(20, (n) => `text_like=fox.*cat${n}`)}`, 400),
      ],
      ['a pattern of many places', get('/items?text_like=[ab]*a[ab]{150}!', 400)],
      [
        '50 literal patterns',
        get(`/items?${query(50, (n) => `text_like=lazy cat ${n}`).replaceAll(' ', '%20')}`),
      ],
      ['a search', get('/items?q=lazy%20cat')],
      ['50 parts', get(`/items?${query(50, (n) => `text_contains=lazy cat ${n}`).replaceAll(' ', '%20')}`)],
      ['beginnings and ends', get('/items?text_startsWith=zz&text_endsWith=zz')],
      ['a search for a long text', get(`/items?q=${'b'.repeat(20)}${'ab'.repeat(3000)}`)],
      ['ranges and an order', get('/items?text_gte=u&_sort=text&text_ne=x')],
    ],
  ],
  [
    'lists of keys',
    { data: KEY_LISTS, config: { foreignKeySuffix: '_id' } },
    [
      ['what they list', get('/posts?_expand=tags&_fields=id,tags.name')],
      ['those that list', get('/tags?_embed=posts&_fields=id,posts.name&_limit=2000')],
      [
        'those that list, again after a change',
        async (server) => {
          const read = get('/tags?_embed=posts&_fields=id,posts.name&_limit=2000')
          await read(server)
          await writes(1, () => ['PATCH', '/posts/0', { name: 'changed' }])(server)
          await read(server)
        },
      ],
      ['both', get('/tags?_embed=posts.tags&_limit=1&_fields=id')],
      ['more than may be attached', get('/posts?_embed=tags.posts', 400)],
      ['fields of their entries', get('/posts?_fields=tag_ids.x&_omit=tag_ids.5&_limit=1')],
    ],
  ],
  [
    'odd keys',
    { data: ODD_KEYS, config: { foreignKeySuffix: '_id' } },
    [
      ['_embed', get('/companies?_embed=products&_limit=10000&_start=1')],
      ['_embed twice, and _expand', get('/products?_embed=reviews&_expand=company&_limit=20000')],
      ['relations of relations', get('/companies?_embed=products.reviews&_limit=4000')],
      ['too many of them', get('/products?_expand=company.products', 400)],
      ['an order by the parents', get('/products?_expand=company&_sort=company.name,name&_limit=10')],
      [
        'an order by their parents',
        get('/reviews?_expand=product.company&_sort=-product.company.name&_limit=9'),
      ],
      [
        'a filter on the parents',
        get('/reviews?_expand=product.company&product.company.name_like=99&_limit=9'),
      ],
      ['those without', get('/products?_expand=company&company.name_null=true')],
      ['a nested item', get('/companies/1/products/1')],
      ['a nested route', get('/companies/1/products')],
      ['a filter by an odd key', get('/products?company_id=1,2')],
      [
        'a deletion with all that depends on it',
        writes(1, () => ['DELETE', '/companies/5?_dependent=products,reviews']),
      ],
      [
        'a hundred of them',
        writes(
          100,
          (n) => ['DELETE', `/companies/${n + 100}?_dependent=products,reviews`],
          (n) => ['PATCH', `/products/${n + 9000}`, { size: 1 }],
        ),
      ],
    ],
  ],
  [
    'a deletion of a hundred thousand rows',
    {
      data: {
        companies: COMPANIES.slice(0, 3),
        products: PRODUCTS.map((row) => ({ ...row, company_id: 1 })),
      },
      config: { foreignKeySuffix: '_id', cascade: true },
    },
    [['with its parent', writes(1, () => ['DELETE', '/companies/1'])]],
  ],
  [
    'many rows, where a removed one takes its dependents along',
    { data: MANY_ROWS, args: ['--cascade'] },
    [
      [
        'POST and DELETE',
        writes(
          300,
          () => ['POST', '/items', {}],
          (n) => ['DELETE', `/items/${n + 1}`],
        ),
      ],
    ],
  ],
  [
    'a hundred thousand rows',
    { data: MANY_ROWS },
    [
      ['an order by 30 fields', get(`/items?${ALL_EQUAL}`)],
      ['an order by 12 fields', get(`/items?${SOME_EQUAL}`)],
      ['50 nested filters', get(`/items?${NESTED}&_limit=0`)],
      ['thousands of unknown fields', get(`/items?${query(2000, (n) => `u${n}=1`)}&_limit=0`)],
      ['50 patterns', get(`/items?${query(50, (n) => `name_like=a.*b${n}`)}`)],
      [
        '50 patterns that are slow to compile',
        get(`/items?${query(50, (n) => `name_like=${SLOW_TO_COMPILE}${n}`)}`),
      ],
      // None of them changes a row that another one removes.
      [
        '300 times POST and DELETE together',
        writes(
          300,
          () => ['POST', '/items', { name: 'new' }],
          (n) => ['DELETE', `/items/${100_000 - n}`],
        ),
      ],
      [
        '300 times PATCH and DELETE together',
        writes(
          300,
          (n) => ['PATCH', `/items/${2 * n + 1}`, { size: 9 }],
          (n) => ['DELETE', `/items/${2 * n + 2}`],
        ),
      ],
      [
        '300 times POST of many and DELETE together',
        writes(
          300,
          (n) => ['POST', '/items', times(n % 30 === 0 ? 2000 : 1, () => ({ size: 1 }))],
          (n) => ['DELETE', `/items/${n + 1001}`],
        ),
      ],
    ],
  ],
  [
    'ids that stand in several rows',
    { data: TWINS },
    [
      [
        'POST and DELETE',
        writes(
          300,
          () => ['POST', '/items', {}],
          (n) => ['DELETE', `/items/${n + 1}`],
        ),
      ],
    ],
  ],
  [
    'data of the user’s own',
    {
      data: { ...ODD_KEYS, items: hugeList(1_000_000) },
      from: 'db.mjs',
      config: { foreignKeySuffix: '_id' },
    },
    [
      ['50 nested filters', get(`/items?${NESTED}&_limit=0`)],
      ['50 patterns', get(`/products?${query(50, (n) => `name_like=a.*b${n}`)}`)],
      ['a search', get('/products?q=nothing')],
      ['an order by 12 fields', get(`/products?${SOME_EQUAL}`)],
      ['_embed', get('/companies?_embed=products&_limit=1000')],
      ['_expand', get('/products?_expand=company&_limit=1000')],
      [
        'a deletion with all that depends on it',
        writes(1, () => ['DELETE', '/companies/5?_dependent=products,reviews']),
      ],
      ['a change of a hundred thousand rows', writes(1, () => ['PATCH', '/reviews?_all=true', { a: 1 }])],
      ['a reset', writes(1, () => ['POST', '/__reset', {}])],
    ],
  ],
]

describe.each(SCENES)('%s', { timeout: 60_000 }, (_scene, options, requests) => {
  const start = scene(options)
  let server: Promise<RealServer> | undefined

  it.each(requests)('%s: nobody else waits for half a second', async (_name, act) => {
    let isFirst = true
    const next = async () => {
      // Reuse the server of the previous case, unless it was too slow.
      if (!server || !isFirst) server = start()
      isFirst = false
      return server
    }
    expect(await othersWaitAtBest(next, act)).toBeLessThan(LONGEST_WAIT)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_NAMES } from '../../../src/core/kernel/catalogue/operators.ts'
import { start } from '../../../src/serve/start.ts'
import { inStyle, KEY_STYLES, type KeyStyle } from '../../../src/wings/shapes/key-style.ts'
import { PRESETS } from '../../../src/wings/shapes/presets.ts'
import type { ShapeTemplate } from '../../../src/wings/shapes/shape-template.ts'
import { exchange } from '../../support/http/exchange.ts'
import { runs } from '../../support/length.ts'

const orders = Array.from({ length: 24 }, (_, at) => ({
  id: at,
  owner: ['ada', 'bob', 'eve'][at % 3],
  ownerId: (at % 3) + 1,
  price: at * 2,
  tags: [`t${at % 4}`, 'all'],
  at: { city: at % 2 ? 'Rome' : null },
  userId: at % 5,
}))

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const TARGETS = [
  ...[
    'owner=ada',
    'owner_eq=ada',
    'owner:eq=ada',
    'owner=ada&owner=eve',
    'id=2',
    'id_eq=2',
    'ids=1&ids=2',
    'ownerId=1',
  ],
  ...[
    'owner_id=1',
    'price_gt=20',
    'price:lt=20',
    'price_gte=20',
    'price:between=4,9',
    'owner_like=^a',
    'owner:ne=ada',
  ],
  ...[
    'owner_in=ada,eve',
    'tags_in=t1',
    'tags:nin=t1',
    'owner_contains=a',
    'owner:startsWith=a',
    'at.city=Rome',
  ],
  ...[
    'at.city_null=true',
    'at.city:null=true',
    'q=ada',
    `filter=${json({ owner: 'ada' })}`,
    `filter=${json({ q: 'ada' })}`,
  ],
  ...[`_filters=${json({ q: 'ada', price_gt: 20 })}`, `_where=${json({ owner: 'ada' })}`],
  ...['_limit=5', '_start=20', '_end=5', '_per_page=5', '_perPage=5', 'range=[0,4]'],
]

const path = (text: string) => text.replaceAll(/[:[\]"{}^]/g, encodeURIComponent)
const rules = Object.fromEntries(TARGETS.map((target, at) => [`/r${at}`, `/orders?${path(target)}`]))
const nested = Object.fromEntries(
  TARGETS.map((target, at) => [`/n${at}/:user`, `/users/:user/orders?${path(target)}`]),
)

type Server = Awaited<ReturnType<typeof start>>

const servers: Server[] = []

beforeAll(async () => {
  const options = { data: { orders, users: [{ id: 1 }] }, routes: { ...rules, ...nested }, quiet: true }
  servers.push(await start(options), await start({ ...options, shape: { keys: 'snake' } }))
})

afterAll(() => Promise.all(servers.map((server) => server.close())))

async function idsAt({ port }: Server, path: string): Promise<readonly unknown[]> {
  const { status, body } = await exchange(port, { method: 'GET', path })
  const found: unknown = status === 200 ? JSON.parse(body) : []
  const { data, results = data } = Object(found)
  const rows: unknown = Array.isArray(found) ? found : results
  return Array.isArray(rows) ? rows.map((row) => row.id) : []
}

const FIELDS = ['id', 'ids', 'owner', 'ownerId', 'owner_id', 'price', 'tags', 'at.city']
const VALUES = ['bob', 'bob', 'b', '3', '40', '0,99', 'bob,eve', 't2', 'false', '']

const windows = fc.constantFrom(
  '_limit=99',
  '_end=99',
  '_per_page=99',
  '_perPage=99',
  'range=%5B0,99%5D',
  '_page=1',
)

/** Mostly on the field of the rule, and with its operator. */
function parameterLike(target: string) {
  const [, named = 'owner'] = /^([a-zA-Z._:]+)=/.exec(target) ?? []
  const used = OPERATOR_NAMES.find((name) => new RegExp(`[_:]${name}$`).test(named))
  const field = used ? named.slice(0, -used.length - 1) : named
  const own = field === 'id' ? ['id', 'ids'] : [field]
  const condition = fc.tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...FIELDS)),
    fc.oneof(fc.constant(used ?? 'eq'), fc.constantFrom(...OPERATOR_NAMES)),
    fc.constantFrom(...VALUES),
  )
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(condition, fc.constantFrom('_', ':'))
        .map(([[field, op, value], mark]) => `${field}${mark}${op}=${value}`),
    },
    condition.map(([field, , value]) => `${field}=${value}`),
    condition.map(([field, op, value]) => {
      const inner =
        op === 'between' || op === 'in' || op === 'nin' ? value.split(',') : op === 'null' || value
      return `_where=${json({ or: [{ [field]: { [op]: inner } }, { id: [1, 2, 3] }] })}`
    }),
    fc
      .tuple(condition, fc.constantFrom('filter', '_filters'))
      .map(([[field, op, value], name]) => `${name}=${json({ [`${field}_${op}`]: value, q: value })}`),
    fc.constantFrom(...VALUES).map((value) => `q=${value}`),
  )
}

it.each(TARGETS.map((target, at) => [target, at] as const))(
  'what a rule asks for is only narrowed, by any spelling, operator and dialect: %s',
  async (target, at) => {
    const isWindow = /^(?:_[lsep]|range)/.test(target)
    const sent = fc.array(isWindow ? windows : parameterLike(target), { minLength: 1, maxLength: 3 })
    for (const [server, path] of servers.flatMap(
      (one) =>
        [
          [one, `/r${at}`],
          [one, `/n${at}/1`],
        ] as const,
    )) {
      const ruled = new Set(await idsAt(server, path))
      if (path.startsWith('/r') && target !== 'owner_id=1') expect(ruled.size).toBeGreaterThan(0)
      const property = fc.asyncProperty(sent, async (parameters) => {
        const asked = `${path}?${parameters.join('&')}`
        const found = await idsAt(server, asked)
        if (isWindow) expect(found.length, asked).toBeLessThanOrEqual(ruled.size)
        else
          expect(
            found.filter((id) => !ruled.has(id)),
            asked,
          ).toEqual([])
      })
      await fc.assert(property, runs(8, 1000))
    }
  },
)

const STYLED = ['opt_in', 'check_in', 'isNull', 'has-in', 'IsIn', '_ownerKey']

const marked = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  owner: at % 2 ? 'bob' : 'ada',
  title: `order ${at + 1}`,
  secret: `hidden ${at + 1}`,
  ...Object.fromEntries(STYLED.map((name) => [name, at % 2 ? 'bob' : 'ada'])),
}))

/** What a rule asks for of these rows, and what its responses may have. */
const ASKED = {
  ada: (body: string, asked = '') =>
    expect(body, asked).not.toMatch(/"bob"|(?:order|hidden) (?:[2468]|1[02])"/),
  two: (body: string, asked = '') => expect(body.match(/hidden/g)?.length ?? 0, asked).toBeLessThanOrEqual(2),
  shown: (body: string, asked = '') => expect(body, asked).not.toContain('hidden'),
  first: (body: string, asked = '') => expect(body, asked).not.toMatch(/order (?!1")/),
}

type Shape = NonNullable<NonNullable<Parameters<typeof start>[0]>['shape']>

interface RuledShape {
  readonly shape: Shape
  readonly targets: readonly (readonly [target: string, is: keyof typeof ASKED])[]
  readonly sent: readonly string[]
}

const OURS = [
  ...['_limit', '_end', '_per_page', '_perPage'].map((name) => `${name}=50`),
  ...[
    'range=[0,49]',
    '_start=0',
    '_start=2',
    '_page=1',
    '_page=2',
    'q=order',
    'q=bob',
    'filter={"q":"order"}',
  ],
  ...[
    '_fields=id,secret',
    '_sort=secret',
    '_sortField=title&_sortDir=DESC',
    '_order=desc',
    '_sort=id&_order=desc',
  ],
]

function ruledShape(shape: Shape, { params = {}, pages: { from = 1 } = {} }: ShapeTemplate): RuledShape {
  const { page = '', size, start, limit, sort, search, fields } = params
  const windows = ['_limit', '_end', '_per_page', '_perPage', size, limit].filter(
    (name) => name !== undefined,
  )
  const given = <T>(name: string | undefined, make: (name: string) => T) =>
    name === undefined ? [] : [make(name)]
  return {
    shape,
    targets: [
      ...windows.map((name) => [`${name}=2`, 'two'] as const),
      ['range=[0,1]', 'two'],
      ['q=ada', 'ada'],
      ['filter={"q":"ada"}', 'ada'],
      ['_fields=id,title', 'shown'],
      ['owner=ada', 'ada'],
      ...given(search, (name) => [`${name}=ada`, 'ada'] as const),
      ...given(fields, (name) => [`${name}=id,title`, 'shown'] as const),
      ...given(fields, (name) => [`${name}[0]=id&${name}[1]=title`, 'shown'] as const),
      ...given(
        sort,
        (name) => [`${name}=id&${limit ?? size}=1&${start ?? page}=${start ? 0 : from}`, 'first'] as const,
      ),
    ],
    sent: [
      ...OURS,
      ...windows.map((name) => `${name}=50`),
      ...[page, start].flatMap((name) => (name ? [`${name}=0`, `${name}=1`, `${name}=2`] : [])),
      ...given(search, (name) => `${name}=order`),
      ...given(sort, (name) => `${name}=secret`),
      ...given(fields, (name) => `${name}=secret`),
      ...given(fields, (name) => `${name}[orders]=secret`),
      ...[
        'owner=bob',
        'owner__exact=bob',
        'owner__in=ada,bob',
        'filter[owner]=bob',
        'filters[owner][$eq]=bob',
      ],
    ],
  }
}

function ruledStyle(keys: KeyStyle, field: string, lookup: string | undefined): RuledShape {
  const spellings = new Set([field, ...KEY_STYLES.map((style) => inStyle(field, style))])
  const ops = ['', '_eq', ':in', ...(lookup && !field.startsWith('_') ? ['__exact'] : [])]
  return {
    shape: { keys, ...(lookup && { params: { lookup } }) },
    targets: [...new Set([field, inStyle(field, keys)])].flatMap((own) =>
      ops.map((op) => [`${own}${op}=ada`, 'ada'] as const),
    ),
    sent: [...spellings].flatMap((name) => [
      ...[...ops, ':eq', '_in', '__in'].map((op) => `${name}${op}=bob`),
      `_where=${json({ [name]: 'bob' })}`,
    ]),
  }
}

const OWN_NAMES = {
  page: '_page',
  limit: '_limit',
  start: 'from',
  size: 'size',
  search: 'find',
  fields: 'only',
  sort: 'by',
}

const RULED_SHAPES: readonly RuledShape[] = [
  ...Object.entries(PRESETS).map(([name, template]) => ruledShape(name, template)),
  ruledShape({ params: OWN_NAMES }, { params: OWN_NAMES }),
  ...KEY_STYLES.flatMap((style) =>
    STYLED.map((field, at) => ruledStyle(style, field, at % 2 ? '__' : undefined)),
  ),
]

describe.each(RULED_SHAPES)(
  'with the shape $shape, what a rule asks for is only narrowed',
  ({ shape, targets, sent }) => {
    let server: Server
    beforeAll(async () => {
      const routes = Object.fromEntries(targets.map(([target], at) => [`/r${at}`, `/orders?${path(target)}`]))
      server = await start({ data: { orders: marked }, routes, shape, quiet: true })
      servers.push(server)
    })

    const ask = async (path: string) => (await exchange(server.port, { method: 'GET', path })).body

    it.each(targets.map(([target, is], at) => [target, is, at] as const))('%s', async (_, is, at) => {
      const alone = await ask(`/r${at}`)
      expect(alone).toContain('order 1"')
      ASKED[is](alone)
      // A filter before the window shows another row.
      const rest =
        is === 'first' ? sent.filter((one) => !/^(?:q|find|search|owner|filters?)\b|owner/.test(one)) : sent
      for (const one of rest) ASKED[is](await ask(`/r${at}?${path(one)}`), one)
      const several = fc.array(fc.constantFrom(...rest), { minLength: 2, maxLength: 4 })
      const property = fc.asyncProperty(several, async (parameters) => {
        ASKED[is](await ask(`/r${at}?${path(parameters.join('&'))}`), parameters.join('&'))
      })
      await fc.assert(property, runs(8, 1000))
    })
  },
)

it('keeps what a rule narrows apart from the same URL sent by a client', async () => {
  const routes = { '/mine': '/orders?search=ada' }
  const server = await start({ data: { orders: marked }, routes, shape: 'drf', quiet: true })
  servers.push(server)
  const all = '/orders?search=ada&q=order'
  const found = [all, '/mine?q=order', all].map((path) => idsAt(server, path))
  expect((await Promise.all(found)).map((ids) => ids.length)).toEqual([12, 6, 12])
})

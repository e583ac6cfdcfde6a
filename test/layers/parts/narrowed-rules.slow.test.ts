import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { start } from '../../../src/app/start.ts'
import { OPERATOR_NAMES } from '../../../src/catalogue/operators.ts'
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
  const rows: unknown = Array.isArray(found) ? found : Reflect.get(Object(found), 'data')
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
      await fc.assert(property, runs(20, 1000))
    }
  },
)

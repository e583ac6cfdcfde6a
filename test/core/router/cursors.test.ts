import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type OpenOptions, open } from '../../../src/index.ts'
import { fileOf, folderOf } from '../../support/folder.ts'
import { runs } from '../../support/length.ts'

type Row = Record<string, unknown>

async function opened(options: OpenOptions) {
  const api = await open({ foreignKeySuffix: '_id', ...options })
  const ask = async (path: string, method = 'GET', body?: unknown) => {
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const response = await api.fetch(path, { method, ...init })
    const rows = (await response.json()) as Row[]
    const { status, headers } = response
    return { status, headers, rows, next: headers.get('x-next-cursor') ?? undefined }
  }
  return { ask, close: () => api.close() }
}

type Ask = Awaited<ReturnType<typeof opened>>['ask']

const KINDS = ['number', 'string', 'boolean', 'object']

/** The order that the contract has, the slow and obvious way: of texts, the characters that fit into a URL. */
function inOrder(rows: readonly Row[], sort: readonly string[]): readonly Row[] {
  const longest = Math.floor(1200 / new Set([...sort, 'id'].map((path) => path.replace('-', ''))).size)
  const value = (row: Row, path: string): readonly [number, number | string] => {
    const own = path.split('.').reduce<unknown>((at, name) => Object(at)[name], row)
    if (own === undefined) return [5, 0]
    if (own === null) return [4, 0]
    const kind = KINDS.indexOf(typeof own)
    return [kind, kind === 2 ? Number(own) : kind === 0 ? (own as number) : String(own).slice(0, longest)]
  }
  const compare = (one: Row, other: Row): number => {
    for (const path of [...sort, 'id']) {
      const field = path.replace('-', '')
      const [[kind, own], [otherKind, others]] = [value(one, field), value(other, field)]
      const order = kind - otherKind || (own < others ? -1 : own > others ? 1 : 0)
      if (order !== 0) return path.startsWith('-') ? -order : order
    }
    return 0
  }
  return rows.toSorted(compare)
}

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -1, max: 3 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'B', 'b', '', '1', 'é', `${'x'.repeat(700)}1`, `${'x'.repeat(700)}0`),
  },
  fc.constantFrom(true, false, null, undefined, null, undefined),
  fc.constantFrom<unknown>([2], [1, 3], { deep: 1 }),
)
const plain = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('a', 'b', null, undefined))

const fields = (of: fc.Arbitrary<unknown>) => fc.record({ a: of, b: of, c: fc.record({ d: of }) })

const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom('x', 'y', 'z1'))

const rowsOf = (of: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.tuple(id, fields(of)), { maxLength: 30, selector: ([own]) => String(own) })

const sorts = fc.uniqueArray(fc.constantFrom('a', '-a', 'b', '-b', 'c.d', '-c.d', 'id', '-id'), {
  maxLength: 3,
  selector: (one) => one.replace('-', ''),
})

const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), row: fields(value), id: fc.integer({ min: 50, max: 90 }) }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('change' as const), id, row: fields(value) }),
)

type Change =
  | { readonly kind: 'add' | 'change'; readonly id: unknown; readonly row: Row }
  | { readonly kind: 'remove'; readonly id: unknown }

interface Play {
  readonly rows: readonly (readonly [unknown, Row])[]
  readonly sort: readonly string[]
  readonly filter: string
  readonly limit: number
  /** Between pages. */
  readonly changes: readonly (readonly Change[])[]
}

const plays: fc.Arbitrary<Play> = fc.record({
  rows: fc.oneof(rowsOf(value), rowsOf(plain)),
  sort: sorts,
  filter: fc.constantFrom('', '&b_gte=1', '&a_ne=2', '&q=a'),
  limit: fc.integer({ min: 1, max: 7 }),
  changes: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 4 }),
})

/** Reads pages to the end, while rows come, change and go. */
async function play(ask: Ask, { sort, filter, limit, changes }: Play): Promise<void> {
  const asked = `/rows?_limit=${limit}&_sort=${sort}${filter}`
  const { rows: before } = await ask(`/rows?${filter}`)
  const touched = new Set<unknown>()
  const read: Row[] = []
  let cursor: string | undefined = ''
  for (let page = 0; cursor !== undefined; page++) {
    expect(page).toBeLessThan(200)
    const { status, rows, next } = await ask(`${asked}&_cursor=${cursor}`)
    expect(status).toBe(200)
    expect(next === undefined || rows.length === limit).toBe(true)
    read.push(...rows)
    cursor = next
    for (const { kind, id: own, ...more } of changes[page] ?? []) {
      touched.add(String(own))
      if (kind === 'remove') await ask(`/rows/${own}`, 'DELETE')
      else if (kind === 'add') await ask('/rows', 'POST', { id: own, ...('row' in more ? more.row : {}) })
      else await ask(`/rows/${own}`, 'PUT', 'row' in more ? more.row : {})
    }
  }
  const stood = (rows: readonly Row[]) => rows.filter((row) => !touched.has(String(row.id)))
  expect(stood(read)).toEqual(stood(inOrder(before, sort)))
  if (touched.size === 0) expect(read).toEqual(inOrder(before, sort))
}

const dataOf = ({ rows }: Play) => ({
  rows: JSON.parse(JSON.stringify(rows.map(([own, row]) => ({ id: own, ...row })))) as Row[],
})

const STORES: Readonly<Record<string, (data: { readonly rows: Row[] }) => OpenOptions>> = {
  memory: (data) => ({ data, live: false }),
  'a live object': (data) => ({ data }),
  'a file': (data) => ({ source: fileOf(data) }),
  'a folder': ({ rows }) => ({
    source: `${folderOf({ 'rows.ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join('') })}/`,
  }),
}

it.each(Object.entries(STORES))(
  'pages by cursor neither repeat nor lose a row that stood throughout, from %s',
  async (name, optionsFor) => {
    await fc.assert(
      fc.asyncProperty(plays, async (each) => {
        const { ask, close } = await opened(optionsFor(dataOf(each)))
        await play(ask, each).finally(close)
      }),
      runs(name === 'memory' ? 80 : 12, 400),
    )
  },
)

async function server(options: OpenOptions) {
  const { ask, close } = await opened({ live: false, ...options })
  onTestFinished(close)
  return ask
}

const PEOPLE = {
  people: Array.from({ length: 7 }, (_, at) => ({ id: at + 1, name: `n${6 - at}`, team_id: (at % 2) + 1 })),
  teams: [
    { id: 1, name: 'b' },
    { id: 2, name: 'a' },
  ],
}

const idsOf = (rows: readonly Row[]) => rows.map((row) => row.id)

describe('a cursor', () => {
  it('has a header and a link, until there is no more', async () => {
    const ask = await server({ data: PEOPLE })
    const first = await ask('/people?_cursor=&_limit=4')
    expect(idsOf(first.rows)).toEqual([1, 2, 3, 4])
    expect(first.headers.get('link')).toBe(
      `<http://localhost/people?_cursor=${first.next}&_limit=4>; rel="next"`,
    )
    expect(first.headers.get('x-total-count')).toBe('7')
    const last = await ask(`/people?_cursor=${first.next}&_limit=4`)
    expect([idsOf(last.rows), last.next, last.headers.get('link')]).toEqual([[5, 6, 7], undefined, null])
  })

  it('leads through rows of one parent, and those sorted by what their parents have', async () => {
    const ask = await server({ data: PEOPLE })
    const first = await ask('/teams/1/people?_cursor=&_limit=2')
    expect(idsOf(first.rows)).toEqual([1, 3])
    expect(idsOf((await ask(`/teams/1/people?_limit=2&_cursor=${first.next}`)).rows)).toEqual([5, 7])
    const sorted = await ask('/people?_expand=team&_sort=team.name,-name&_cursor=&_limit=4')
    expect(idsOf(sorted.rows)).toEqual([2, 4, 6, 1])
    const next = await ask(`/people?_expand=team&_sort=team.name,-name&_cursor=${sorted.next}&_limit=4`)
    expect(idsOf(next.rows)).toEqual([3, 5, 7])
  })

  it('leads on with other limits, fields and relations', async () => {
    const ask = await server({ data: PEOPLE })
    const { next } = await ask('/people?_cursor=&_limit=2&_sort=name')
    const other = await ask(`/people?_sort=name&_cursor=${next}&_limit=1&_fields=id,team&_expand=team`)
    expect(other.rows).toEqual([{ id: 5, team: PEOPLE.teams[0] }])
  })

  it.each([
    '/people?_cursor=C',
    '/people?_sort=-name&_cursor=C',
    '/people?_sort=name&team_id=1&_cursor=C',
    '/teams?_sort=name&_cursor=C',
    '/teams/1/people?_sort=name&_cursor=C',
    '/people?_sort=name&q=n&_cursor=C',
    '/people?_sort=name&_cursor=odd',
  ])('of another question is refused: %s', async (path) => {
    const ask = await server({ data: PEOPLE })
    const { next = '' } = await ask('/people?_cursor=&_limit=2&_sort=name')
    const { status, rows } = await ask(path.replace('C', next))
    expect([status, Object(rows).code]).toEqual([400, 'INVALID_QUERY'])
  })

  it.each(['_page=2', '_per_page=3', '_start=2', '_end=3', 'range=[0,1]'])(
    'beats %s, and says so',
    async (other) => {
      const ask = await server({ data: PEOPLE })
      expect(idsOf((await ask(`/people?_cursor=&_limit=2&${other}`)).rows)).toEqual([1, 2])
      const strict = await ask(`/people?_cursor=&${other}&_strict=true`)
      expect([strict.status, JSON.stringify(strict.rows)]).toEqual([400, expect.stringContaining('_cursor')])
    },
  )

  it('is a field where rows have one of that name', async () => {
    const ask = await server({
      data: {
        rows: [
          { id: 1, _cursor: 'a' },
          { id: 2, _cursor: 'b' },
        ],
      },
    })
    expect(idsOf((await ask('/rows?_cursor=b')).rows)).toEqual([2])
  })

  it('leads past rows that have the same id, or none', async () => {
    const ask = await server({
      data: { rows: [{ id: 1 }, { n: 1 }, { id: 1 }, { n: 2 }, { id: 1 }, 5, null] },
    })
    const read: unknown[] = []
    let next: string | undefined = ''
    while (next !== undefined) {
      const page = await ask(`/rows?_cursor=${next}&_limit=2`)
      read.push(...page.rows)
      next = page.next
    }
    expect(read).toEqual([{ id: 1 }, { id: 1 }, { id: 1 }, { n: 1 }, { n: 2 }, 5, null])
  })

  it('has the names of a shape', async () => {
    const list = { rows: '$rows', after: '$nextCursor', more: '$hasMore', next: '$next' }
    const ask = await server({ data: PEOPLE, shape: { list, params: { cursor: 'after', size: 'first' } } })
    const first = Object((await ask('/people?after=&first=5')).rows)
    expect(first).toMatchObject({ rows: { length: 5 }, more: true })
    expect(first.next).toBe(`http://localhost/people?after=${first.after}&first=5`)
    const last = Object((await ask(`/people?first=5&after=${first.after}`)).rows)
    expect([idsOf(last.rows), last.after, last.more, last.next]).toEqual([[6, 7], null, false, null])
    expect(Object((await ask('/people?_page=1&_limit=2')).rows)).toMatchObject({ after: null, more: true })
  })

  it('reads few of many rows that have an index', async () => {
    const data = { rows: Array.from({ length: 100_000 }, (_, at) => ({ id: at, n: (at * 7919) % 100_000 })) }
    const ask = await server({ data })
    await ask('/rows?_sort=n&_cursor=')
    const { next } = await ask('/rows?_sort=n&_cursor=')
    const explained = Object((await ask(`/rows?_sort=n&_cursor=${next}&_explain=true`)).rows)
    expect(explained.plan.uses).toEqual([{ index: 'sorted', field: 'n' }])
    const start = process.cpuUsage()
    for (let at = 0; at < 20; at++) await ask(`/rows?_sort=n&_cursor=${next}&_limit=${at + 10}`)
    const { user } = process.cpuUsage(start)
    // Sorting all of them takes some 50 ms each.
    expect(user / 1000).toBeLessThan(400)
  })
})

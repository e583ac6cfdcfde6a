import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { open } from '../../../src/index.ts'
import { ResponseShape } from '../../../src/wings/shapes/response-shape.ts'
import { RowBytes } from '../../../src/wings/shapes/row-bytes.ts'
import { ROWS } from '../../../src/wings/shapes/template.ts'
import { openApi } from '../../support/http/serve.ts'

const SHAPE = {
  list: { meta: { rows: '$rows' }, total: '$total' },
  unpaged: '$rows',
  row: { kind: '$resource', key: '$id', rest: '$fields' },
  keys: 'camel',
} as const

it('a list is written from what was written of its rows as it would be without, whatever came before', async () => {
  const row = fc.record({
    is_new: fc.oneof(fc.boolean(), fc.constant(null), fc.record({ in_side: fc.array(fc.integer()) })),
    full_name: fc.string({ unit: 'grapheme' }),
  })
  const step = fc.oneof(
    fc.record({ method: fc.constantFrom('POST', 'PUT', 'PATCH'), id: fc.integer({ min: 1, max: 4 }), row }),
    fc.record({
      list: fc.constantFrom('as', 'bs'),
      query: fc.constantFrom('', '_page=1&_limit=3', '_limit=2', '_start=1'),
    }),
  )
  const same = { id: 1, full_name: 'in both' }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const api = await open({ live: false, data: { as: [same, { id: 2 }], bs: [same] }, shape: SHAPE })
      let n = 0
      for (const one of steps) {
        if ('row' in one) {
          const path = one.method === 'POST' ? '/as' : `/as/${one.id}`
          const headers = { 'Content-Type': 'application/json', Prefer: 'shape=none' }
          await api.fetch(path, { method: one.method, headers, body: JSON.stringify(one.row) })
          continue
        }
        const path = `/${one.list}?${one.query}`
        const plain = await api.fetch(path, { headers: { Prefer: 'shape=none' } })
        const rows: Record<string, unknown>[] = JSON.parse(inCamelCase(await plain.text()))
        const shown = rows.map(({ id: key, ...rest }) => ({ kind: one.list, key, rest }))
        const total = Number(plain.headers.get('X-Total-Count'))
        const expected = one.query === '' ? shown : { meta: { rows: shown }, total }
        // A new URL: otherwise the whole response would be cached.
        const shaped = await api.fetch(`${path}&_=${n++}`)
        expect(await shaped.text()).toBe(JSON.stringify(expected, null, 2))
      }
      await api.close()
    }),
    { numRuns: 8 },
  )
})

function inCamelCase(text: string): string {
  return text.replace(
    /"(\w+)_(\w)(\w+)":/g,
    (_, first, letter, rest) => `"${first}${letter.toUpperCase()}${rest}":`,
  )
}

it('rows are shaped once for many lists, and again when they change', async () => {
  const data = { products: Array.from({ length: 20 }, (_, at) => ({ id: at + 1, unit_price: at })) }
  const api = await openApi({ live: false, data, shape: { list: { data: '$rows' }, keys: 'camel' } })
  const shaped = vi.spyOn(ResponseShape.prototype, 'row')
  onTestFinished(() => shaped.mockRestore())
  const costOf = async (query: string) => {
    shaped.mockClear()
    const text = await (await api.fetch(`/products?${query}`)).text()
    return [JSON.parse(text).data.length, shaped.mock.calls.length]
  }
  expect(await costOf('_limit=10')).toEqual([10, 10])
  expect(await costOf('_limit=15')).toEqual([15, 5])
  expect(await costOf('_sort=-unitPrice')).toEqual([20, 5])
  await api.fetch('/products/3', { method: 'PATCH', body: '{"unitPrice":100}' })
  expect(await costOf('_sort=-unitPrice&_limit=19')).toEqual([19, 1])
})

const frame = { before: '', after: '', depth: 0, around: () => ROWS }

it('the same row looks different in another resource', () => {
  const written = new RowBytes()
  const rows = [{ id: 1 }]
  expect(['a', 'b'].map((kind) => written.list(rows, frame, kind, () => kind).toString())).toEqual([
    '[\n  "a"\n]',
    '[\n  "b"\n]',
  ])
})

it('what is kept of rows has a bound', () => {
  const written = new RowBytes()
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, text: 'x'.repeat(100_000) }))
  let shown = 0
  const show = (row: unknown) => {
    shown++
    return row
  }
  for (const row of rows) {
    expect(written.list([row], frame, 'rows', show).toString()).toBe(JSON.stringify([row], null, 2))
  }
  expect(shown).toBe(200)
  written.list(rows.slice(0, 1), frame, 'rows', show)
  written.list(rows.slice(-2), frame, 'rows', show)
  expect(shown).toBe(201)
})

import { expect, it } from 'vitest'
import { Engine } from '../../../../src/core/engine/engine.ts'
import { readWithDiagnostics } from '../../../../src/core/router/query/read-with-diagnostics.ts'

it('tells of one moment, though a field comes into use while the order is looked for', async () => {
  const items = Array.from({ length: 100_000 }, (_, at) => ({
    id: at + 1,
    name: `n${(at * 7919) % 100_000}`,
  }))
  const engine = new Engine({ items }, { id: 'id', foreignKeySuffix: 'Id' })
  const query = { colour: 'red', _sort: 'name', _limit: '1' }
  const read = () =>
    readWithDiagnostics({
      engine,
      target: { kind: 'list', name: 'items', parent: undefined, isExact: true },
      query,
    })
  const found = read()
  await engine.write({ kind: 'insert', collection: 'items', rows: [{ colour: 'blue' }] })
  // Before, no row had the field, and it was ignored; since then, none is red.
  const before = await found
  expect([before?.list?.total, before?.isCurrent()]).toEqual([100_000, false])
  expect((await read())?.list?.total).toBe(0)
})

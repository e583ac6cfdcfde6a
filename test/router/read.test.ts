import { expect, it } from 'vitest'
import { ask } from '../../src/router/read.ts'
import { LocalEngine } from '../../src/storage/local/local-engine.ts'

it('tells of one moment, though a field comes into use while the order is looked for', async () => {
  const items = Array.from({ length: 200_000 }, (_, at) => ({
    id: at + 1,
    name: `n${(at * 7919) % 200_000}`,
  }))
  const engine = new LocalEngine({ items }, { id: 'id', foreignKeySuffix: 'Id', isOwned: true })
  const query = { colour: 'red', _sort: 'name', _limit: '1' }
  const found = ask(engine, { kind: 'collection', name: 'items' }, query).find()
  await engine.write({ kind: 'insert', collection: 'items', rows: [{ colour: 'blue' }] })
  // Before, no row had the field, and it was ignored; since then, none is red.
  expect([200_000, 0]).toContain((await found)?.list?.total)
})

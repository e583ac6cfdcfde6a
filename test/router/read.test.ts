import { expect, it } from 'vitest'
import { ask } from '../../src/router/read.ts'
import { Store } from '../../src/storage/local/store.ts'
import { Outside } from '../support/outside.ts'

it('tells of one moment, though a field comes into use while the order is looked for', async () => {
  const items = Array.from({ length: 200_000 }, (_, at) => ({
    id: at + 1,
    name: `n${(at * 7919) % 200_000}`,
  }))
  const store = new Store({ items }, { id: 'id', foreignKeySuffix: 'Id', medium: new Outside() })
  const query = { colour: 'red', _sort: 'name', _limit: '1' }
  const found = ask(store, { kind: 'collection', name: 'items' }, query).find()
  await store.write((draft) => draft.insert('items', [{ colour: 'blue' }]))
  // Before, no row had the field, and it was ignored; since then, none is red.
  expect([200_000, 0]).toContain((await found)?.list?.total)
})

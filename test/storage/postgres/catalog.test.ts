import { expect, it } from 'vitest'
import { CatalogueReader } from '../../../src/storage/postgres/layout/catalog.ts'
import { Tables } from '../../../src/storage/postgres/layout/tables.ts'

const catalogue = (version: number, nextRid: number) => ({
  ...{ version, nextRid, generation: 1 },
  resources: new Map(),
})

it.each([
  ['a newer one', [catalogue(1, 5), catalogue(2, 5)], 1],
  ['no older one: a reading may end after one that began later', [catalogue(2, 5), catalogue(1, 5)], 0],
  [
    'one with a collection that is new and empty, which makes no version',
    [catalogue(2, 5), catalogue(2, 6)],
    1,
  ],
  ['none without it', [catalogue(2, 6), catalogue(2, 5)], 0],
])('what is known of a database gives way to %s', (_, kept, last) => {
  const reader = new CatalogueReader(new Tables('any'))
  for (const each of kept) reader.keep(each)
  expect(reader.last).toBe(kept[last])
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Question } from '../../../src/core/engine/question.ts'

const plain = { where: [], sort: [], embed: [], expand: [] }
const data = () => ({ products: [{ id: 1 }, { id: 2 }, { id: 3 }], profile: { name: 'me' } })

it.each<[Question]>([
  [{ kind: 'item', collection: 'products', id: '1' }],
  [{ kind: 'list', collection: 'products', query: { ...plain, window: { kind: 'limit', count: 1 } } }],
  [{ kind: 'object', name: 'profile' }],
  [{ kind: 'fields', collection: 'products' }],
  [{ kind: 'names', collection: 'products' }],
])('the result of %j does not keep data in memory that was replaced', async (question) => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const engine = new Engine(data(), { id: 'id', foreignKeySuffix: '_id' })
  const { isCurrent } = await engine.read(question)
  expect(isCurrent()).toBe(true)
  const before = new WeakRef(engine.database)
  await engine.write({ kind: 'replace-database', data: data() })
  engine.origin = engine.database
  // A weak reference holds until its turn is over, and one collection need not find everything.
  await vi.waitFor(() => {
    gc()
    expect(before.deref() === undefined).toBe(true)
  })
  expect(isCurrent()).toBe(false)
})

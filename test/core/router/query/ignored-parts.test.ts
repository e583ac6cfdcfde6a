import { describe, expect, it, vi } from 'vitest'
import { Engine } from '../../../../src/core/engine/engine.ts'
import { create, router } from '../../../../src/index.ts'
import { json, serving } from '../../../support/http/serving.ts'

async function serveCounting() {
  const rows = () => [1, 2, 3].map((id) => ({ id, title: `t${id}` }))
  const data = { posts: rows(), notes: rows() }
  const engine = new Engine(data, { id: 'id', foreignKeySuffix: 'Id' })
  const read = vi.spyOn(engine, 'read')
  const base = await serving(create().use(router(engine)))
  const ask = (path: string, init?: RequestInit) => fetch(base + path, init).then((answer) => answer.json())
  const probes = () => read.mock.calls.filter(([{ kind }]) => kind === 'fields' || kind === 'explain').length
  return { ask, probes }
}

const READS: readonly (readonly [string, (n: number) => string])[] = [
  ['an item', (n) => `/posts/${(n % 3) + 1}?colour=${n}`],
  ['an item, with several names', (n) => `/posts/1?colour=${n}&v=${n}`],
  ['a list', (n) => `/posts?colour=${n}`],
  ['a list, with an operator', (n) => `/posts?colour_gt=${n}`],
]

describe('what is known about names without effect', () => {
  it.each(READS)('is found out once, not on every request: %s', async (_, path) => {
    const { ask, probes } = await serveCounting()
    await ask(path(0))
    const once = probes()
    expect(once).toBeGreaterThan(0)
    for (let n = 1; n < 10; n++) await ask(path(n))
    expect(probes()).toBe(once)
  })

  it.each(READS)('is found out again after a write: %s', async (_, path) => {
    const { ask } = await serveCounting()
    const strict = (n: number) => ask(`${path(n)}&_strict=true`)
    expect(await strict(0)).toMatchObject({ message: expect.not.stringContaining('Did you mean') })
    await ask('/posts', json('POST', { colours: 1 }))
    expect(await strict(1)).toMatchObject({ message: expect.stringContaining('Did you mean colours') })
    await ask('/posts', json('POST', { colour: 1, v: 1 }))
    expect(await strict(2)).not.toHaveProperty('code')
  })

  it('is known of one collection only', async () => {
    const { ask } = await serveCounting()
    await ask('/posts', json('POST', { colour: 1 }))
    expect(await ask('/posts/1?colour=1&_strict=true')).toEqual({ id: 1, title: 't1' })
    expect(await ask('/notes/1?colour=1&_strict=true')).toHaveProperty('code', 'INVALID_QUERY')
  })
})

import { expect, it } from 'vitest'
import type { RenderableResult } from '../../../../src/core/router/read.ts'
import { renderResponse } from '../../../../src/core/router/response/render-response.ts'
import { ResponseCache, type Want } from '../../../../src/core/router/response/response-cache.ts'

/** Data that is found when the test says so. */
function source() {
  let version = 1
  const waiting: (() => void)[] = []
  const cache = new ResponseCache()
  const kept: unknown[] = []
  const set = cache.set.bind(cache)
  cache.set = (...args) => {
    kept.push(args[1].reading.data)
    return set(...args)
  }
  const counts = { found: 0, rendered: 0 }
  const render = async (reading: RenderableResult = NOTHING) => {
    counts.rendered++
    return renderResponse(reading)
  }
  const find = (): ReturnType<Want['find']> => {
    counts.found++
    const found = version
    const reading = { data: found, isCurrent: () => version === found }
    return new Promise((resolve) => waiting.push(() => resolve(reading)))
  }
  return {
    kept,
    counts,
    find,
    render,
    ask: (want: Partial<Want> = {}) => cache.fetch('/a', { request: '/a', find, render, ...want }),
    change: () => version++,
    arrive: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
    clear: () => cache.clear(),
  }
}

const NOTHING: RenderableResult = { data: {}, isCurrent: () => false }

const settled = () => new Promise(setImmediate)

it('finds and renders once for all who ask meanwhile, and again for who asks later', async () => {
  const { ask, arrive, counts, kept } = source()
  const answers = [ask(), ask(), ask()]
  arrive()
  const [first, ...others] = await Promise.all(answers)
  expect(others).toEqual([first, first])
  expect([counts, kept.length]).toEqual([{ found: 1, rendered: 1 }, 1])
  void ask()
  expect(counts.found).toBe(2)
})

it('waits for one that is found and not rendered yet', async () => {
  const { ask, render } = source()
  let found = 0
  const find = async () => {
    found++
    return { data: 1, isCurrent: () => true }
  }
  const late = async (reading?: RenderableResult) => render(reading)
  const [first, second] = await Promise.all([ask({ find, render: late }), ask({ find, render: late })])
  expect(second).toBe(first)
  expect(found).toBe(1)
})

it('has another made, once, for those who asked after a change', async () => {
  const { ask, arrive, change, counts, kept } = source()
  const before = ask()
  change()
  const after = [ask(), ask(), ask()]
  arrive()
  await settled()
  expect(counts.found).toBe(2)
  arrive()
  expect((await before).reading.data).toBe(1)
  for (const answer of await Promise.all(after)) expect(answer.reading.data).toBe(2)
  expect(kept).toEqual([2])
})

it('lets nobody wait for an old one that is still being rendered', async () => {
  const { ask, change, counts, arrive, render } = source()
  let finish = () => {}
  const slow = (reading?: RenderableResult) =>
    new Promise<Awaited<ReturnType<typeof render>>>((resolve) => {
      finish = () => resolve(render(reading))
    })
  const before = ask({ render: slow })
  arrive()
  await settled()
  change()
  const after = ask()
  await settled()
  expect(counts.found).toBe(2)
  arrive()
  expect((await after).reading.data).toBe(2)
  finish()
  expect((await before).reading.data).toBe(1)
})

it('tells all who wait why it failed, and tries again for the next', async () => {
  const { ask, counts, kept } = source()
  const failing = { find: () => Promise.reject(new Error('no')) }
  const answers = [ask(failing), ask()].map((answer) => expect(answer).rejects.toThrow('no'))
  await Promise.all(answers)
  expect(kept).toEqual([])
  void ask()
  expect(counts.found).toBe(1)
})

it.each([
  ['nothing was found', { find: async () => undefined }],
  ['it was old when it was found', { find: async () => ({ data: 0, isCurrent: () => false }) }],
])('keeps no answer where %s', async (_, want) => {
  const { ask, kept } = source()
  await ask(want)
  expect(kept).toEqual([])
})

it('keeps nothing that was begun before it was cleared', async () => {
  const { ask, arrive, clear, kept } = source()
  const answer = ask()
  clear()
  arrive()
  await answer
  await settled()
  expect(kept).toEqual([])
})

it('lets requests queue up no further than twice where no answer is ever current', async () => {
  const { ask, arrive, counts, find } = source()
  const never: Want['find'] = async () => {
    const reading = await find()
    return reading && { ...reading, isCurrent: () => false }
  }
  const answers = Array.from({ length: 10 }, () => ask({ find: never }))
  for (let round = 0; round < 3; round++) {
    arrive()
    await settled()
  }
  expect(await Promise.all(answers)).toHaveLength(10)
  expect(counts.found).toBe(10)
})

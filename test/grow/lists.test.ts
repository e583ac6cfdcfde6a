import { expect, it, onTestFinished, vi } from 'vitest'
import { Random } from '../../src/core/kernel/util/random.ts'
import { listMaker } from '../../src/grow/lists.ts'

it('entries of lists are read only as far as they are learned from', () => {
  const unread = (length: number) => {
    const list = Array.from({ length }, () => 0)
    return Object.defineProperty(list, length - 1, { get: () => expect.fail('It was read.') })
  }
  const lists = [[1, 2, 3], [4], unread(6000), unread(5)]
  const valueMaker = vi.fn(() => () => 0)
  const learning = { keys: new Map(), left: new Set<string>(), valueMaker }
  const place = { resource: 'posts', name: 'tags', path: 'tags', depth: 1, learning }
  listMaker(lists, { ...place, schema: { uniqueItems: true } })
  const expected = [1, 2, 3, 4, ...Array.from({ length: 4996 }, () => 0)]
  expect(valueMaker.mock.calls).toEqual([[expected, { ...place, schema: {} }]])
})

it('a list that is longer than what is learned from is copied, and not compared entry by entry', () => {
  const long = Array.from({ length: 6000 }, (_, at) => `tag ${at}`)
  const compared = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => compared.mockRestore())
  const learning = { keys: new Map(), left: new Set<string>(), valueMaker: () => () => 'a' }
  const place = { resource: 'posts', name: 'tags', path: 'tags', depth: 1, schema: {}, learning }
  const make = listMaker([long, long], place)
  expect(make(new Random('a'))).toEqual(long)
  expect(compared).not.toHaveBeenCalled()
})

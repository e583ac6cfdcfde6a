import { expect, it } from 'vitest'
import { listMaker } from '../../../src/wings/making/lists.ts'

it('entries of lists are read only as far as they are learned from', () => {
  const unread = (length: number) => {
    const list = Array.from({ length }, () => 0)
    return Object.defineProperty(list, length - 1, { get: () => expect.fail('It was read.') })
  }
  const lists = [[1, 2, 3], [4], unread(6000), unread(5)]
  const learned: unknown[] = []
  const valueMaker = (...args: unknown[]) => {
    learned.push(args)
    return () => 0
  }
  const learning = { keys: new Map(), left: new Set<string>(), valueMaker }
  const place = { resource: 'posts', name: 'tags', path: 'tags', depth: 1, learning }
  listMaker(lists, { ...place, schema: { uniqueItems: true } })
  const expected = [1, 2, 3, 4, ...Array.from({ length: 4996 }, () => 0)]
  expect(learned).toEqual([[expected, { ...place, schema: {} }]])
})

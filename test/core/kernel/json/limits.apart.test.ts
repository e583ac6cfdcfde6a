import { describe, expect, it } from 'vitest'
import {
  applyJsonPatch,
  applyMergePatch,
  type PatchOperation,
} from '../../../../src/core/kernel/json/patches.ts'

const MB = 1024 * 1024

describe('a result that nobody could have sent is refused', () => {
  it.each<[string, unknown, readonly PatchOperation[], RegExp]>([
    ['one large value', { a: 'x'.repeat(6 * MB) }, [add('/b', 'x'.repeat(5 * MB))], /10 MB/],
    ['letters of several bytes', {}, [add('/b', 'ä'.repeat(6 * MB))], /10 MB/],
    ['a copy bomb', { a: ['x'.repeat(100)] }, times(40, () => copy('/a', '/a/-')), /10 MB/],
    [
      'a copy bomb of the whole row',
      { a: 'x' },
      times(60, (at) => copy('', `/a${at}`)),
      /10 MB|values|fewer operations/,
    ],
    ['a copy bomb of empty lists', { a: [] }, times(40, () => copy('/a', '/a/-')), /10 MB|values/],
    ['a tower', {}, times(101, (at) => add('/a'.repeat(at + 1), {})), /100 levels/],
    [
      'a tower, moved upon another',
      tower(60),
      [add('/b', tower(50)), move('/b', '/a'.repeat(55))],
      /100 levels/,
    ],
    ['many values on deep levels', tower(90), [add('/a'.repeat(80), Array(200_000).fill(0))], /deep levels/],
    ['an object with many keys', { a: wide(50_000) }, [add('/a/more', 1)], /50,000 keys/],
    ['a wide object in a value', {}, [add('/a', wide(50_001))], /50,000 keys/],
  ])('%s', async (_what, row, patch, message) => {
    await expect(applyJsonPatch(row, patch)).rejects.toThrow(
      expect.objectContaining({ code: 'BODY_TOO_LARGE', message: expect.stringMatching(message) }),
    )
  })

  it.each<[string, unknown, unknown, RegExp]>([
    ['too large', { a: 'x'.repeat(6 * MB) }, { b: 'x'.repeat(5 * MB) }, /10 MB/],
    ['too wide', wide(50_000), { more: 1 }, /50,000 keys/],
  ])('a merge patch that makes it %s', async (_what, row, patch, message) => {
    await expect(applyMergePatch(row, patch)).rejects.toThrow(message)
  })
})

describe('a patch that fits', () => {
  it.each<[string, unknown, readonly PatchOperation[]]>([
    ['may have a thousand operations', { list: [] }, times(1000, (at) => add('/list/-', at))],
    [
      'may put in what it takes out again',
      {},
      times(500, () => [add('/a', 'x'.repeat(MB)), remove('/a')]).flat(),
    ],
    [
      'may replace what is large',
      { a: 'x'.repeat(9 * MB) },
      times(20, () => ({ op: 'replace', path: '/a', value: 'y'.repeat(9 * MB) })),
    ],
    ['may go down to level 100', {}, times(99, (at) => add('/a'.repeat(at + 1), {}))],
    [
      'may insert in front of a hundred thousand',
      { a: Array(100_000).fill(0) },
      times(1000, () => add('/a/0', 1)),
    ],
    [
      'may change each of a thousand rows of a list',
      { a: times(1000, () => ({ b: 1 })) },
      times(1000, (at) => add(`/a/${at}/c`, 1)),
    ],
    [
      'may go over a wide object again and again',
      { a: wide(50_000) },
      times(1000, (at) => ({ op: 'replace', path: `/a/k${at}`, value: 1 })),
    ],
    [
      'may move millions to and fro',
      { a: Array(1_500_000).fill(0) },
      times(500, () => [move('/a', '/b'), move('/b', '/a')]).flat(),
    ],
    ['may make a large item smaller', { a: 'x'.repeat(11 * MB), b: 1 }, [remove('/a')]],
    [
      'may grow in between',
      { a: 'x'.repeat(6 * MB) },
      [copy('/a', '/b'), copy('', '/c'), remove('/b'), remove('/c')],
    ],
  ])('%s', async (_what, row, patch) => {
    await applyJsonPatch(row, patch)
  })
})

describe('a patch that keeps everybody waiting', () => {
  const wideRow = { a: wide(50_000), b: {} }
  const longRow = { a: Array(1_500_000).fill(0) }

  it.each<[string, unknown, readonly PatchOperation[]]>([
    [
      'copies a wide object again and again',
      wideRow,
      times(500, () => [copy('/a', '/b'), add('/a/k1', 1)]).flat(),
    ],
    ['inserts in front of millions', longRow, times(1000, () => add('/a/0', 1))],
  ])('is refused when it %s', async (_what, row, patch) => {
    await expect(applyJsonPatch(row, patch)).rejects.toThrow(/fewer operations at a time/)
  })

  it('lets others have their turn between its operations', async () => {
    const count = 200_000
    const list = Array(count).fill(0)
    const patch = times(10, (): PatchOperation => ({ op: 'test', path: '/a', value: Array(count).fill(0) }))
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await applyJsonPatch({ a: list }, patch)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

function remove(path: string): PatchOperation {
  return { op: 'remove', path }
}

function add(path: string, value: unknown): PatchOperation {
  return { op: 'add', path, value }
}

function copy(from: string, path: string): PatchOperation {
  return { op: 'copy', from, path }
}

function move(from: string, path: string): PatchOperation {
  return { op: 'move', from, path }
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function wide(keys: number): Record<string, number> {
  return Object.fromEntries(times(keys, (at) => [`k${at}`, at]))
}

function tower(levels: number): unknown {
  return times(levels - 1, (at) => at).reduce<unknown>((inner) => ({ a: inner }), {})
}

import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../../../src/core/kernel/util/single-flight.ts'

function counting(isKept: boolean) {
  const flight = new SingleFlight<number>({ isKept })
  let made = 0
  return (name: string, isCurrent: () => boolean) => flight.get(name, isCurrent, async () => ++made)
}

describe.each([true, false])('a single flight that keeps its results: %s', (isKept) => {
  it('makes a result once for concurrent callers, and one per name', async () => {
    const get = counting(isKept)
    const current = () => true
    expect(await Promise.all([get('a', current), get('a', current), get('b', current)])).toEqual([1, 1, 2])
  })

  it('is not joined once the result is out of date', async () => {
    const get = counting(isKept)
    expect(await Promise.all([get('a', () => false), get('a', () => true)])).toEqual([1, 2])
  })

  it('keeps a current result, or not', async () => {
    const get = counting(isKept)
    await get('a', () => true)
    expect(await get('a', () => true)).toBe(isKept ? 1 : 2)
  })

  it('forgets a failure', async () => {
    const flight = new SingleFlight<number>({ isKept })
    const fail = () => Promise.reject(new Error('no'))
    await expect(flight.get('a', () => true, fail)).rejects.toThrow('no')
    expect(
      await flight.get(
        'a',
        () => true,
        async () => 7,
      ),
    ).toBe(7)
  })
})

import { describe, expect, it } from 'vitest'
import { isWork, type Work, waitFor, workAtOnce, workInSlices } from '../../src/work/in-slices.ts'

describe('workInSlices', () => {
  it('tells the work of what it waited for in vain', async () => {
    const steps: string[] = []
    function* work(): Work<string> {
      try {
        yield Promise.reject(new Error('no'))
      } catch (error) {
        steps.push(String(error))
        yield
      } finally {
        steps.push('put away')
      }
      return 'done'
    }
    expect(await workInSlices(work())).toBe('done')
    expect(steps).toEqual(['Error: no', 'put away'])
  })

  function* count(steps: number[], end: number): Work<string> {
    for (let step = 0; step < end; step++) {
      steps.push(step)
      yield
    }
    return 'done'
  }

  it('does what is quickly done at once', () => {
    const steps: number[] = []
    expect(workInSlices(count(steps, 3), 1000)).toBe('done')
    expect(steps).toEqual([0, 1, 2])
  })

  it('lets others have their turn between two slices', async () => {
    const steps: (number | string)[] = []
    const result = workInSlices(count(steps as number[], 3), 0)
    setImmediate(() => steps.push('other'))
    await expect(result).resolves.toBe('done')
    expect(steps.indexOf('other')).toBeLessThan(steps.indexOf(2))
  })

  it('lets others have their turn after each slice, however many work at a time', async () => {
    const order: string[] = []
    function* note(name: string): Work<void> {
      for (let step = 0; step < 4; step++) {
        order.push(name)
        yield
      }
    }
    const works = ['a', 'b', 'c'].map((name) => workInSlices(note(name), 0))
    let isOver = false
    const others = () => {
      order.push('others')
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await Promise.all(works)
    isOver = true
    // Each does its first slice at once, when it is asked for.
    expect(order.slice(3, 21).join(' ')).toBe('a others b others c others '.repeat(3).trim())
  })

  it('waits for what the work has to wait for', async () => {
    function* waitTwice(): Work<number> {
      const first = yield* waitFor(Promise.resolve(1))
      return (
        first +
        (yield* waitFor(2)) +
        (yield* waitFor(new Promise<number>((resolve) => setImmediate(resolve, 3))))
      )
    }
    expect(await workInSlices(waitTwice())).toBe(6)
    function* waitInVain(): Work<void> {
      yield* waitFor(Promise.reject(new Error('no')))
    }
    await expect(workInSlices(waitInVain())).rejects.toThrow('no')
  })

  it('begins with less while others wait for their turn', async () => {
    function* hold(): Work<number> {
      const start = performance.now()
      let longest = 0
      for (let last = start; last < start + 20; ) {
        yield
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
      }
      return longest
    }
    const first = workInSlices(hold(), 5)
    const start = performance.now()
    const others = Array.from({ length: 10 }, () => workInSlices(hold(), 5))
    // Ten slices of 5 ms without it.
    expect(performance.now() - start).toBeLessThan(40)
    await Promise.all([first, ...others])
  })

  it('rejects with what a later step throws', async () => {
    function* fail(): Work<void> {
      yield
      throw new Error('no')
    }
    await expect(workInSlices(fail(), 0)).rejects.toThrow('no')
  })
})

describe('work', () => {
  function* steps(count: number): Work<string> {
    for (let step = 0; step < count; step++) yield
    return 'done'
  }

  it('that has to wait cannot be done in one go', () => {
    expect(workAtOnce(steps(5))).toBe('done')
    expect(() => workAtOnce(waitFor(Promise.resolve(1)))).toThrow('wait')
  })

  it('is told from anything that data may be', () => {
    expect(isWork(steps(1))).toBe(true)
    for (const value of [1, null, undefined, [], {}, { next: 1, throw: 2 }, new Map()])
      expect(isWork(value)).toBe(false)
  })
})

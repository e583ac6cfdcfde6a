import { describe, expect, it } from 'vitest'
import { inSlices, type Work, workInSlices } from '../src/in-slices.ts'

describe('inSlices', () => {
  it('does what is quickly done at once', () => {
    const steps: number[] = []
    const result = inSlices(
      3,
      (step) => steps.push(step),
      () => steps.push(-1),
      1000,
    )
    expect(result).toBeUndefined()
    expect(steps).toEqual([0, 1, 2])
  })

  it('says so before its first break, and goes on where it was', async () => {
    const steps: (number | string)[] = []
    const result = inSlices(
      3,
      (step) => steps.push(step),
      () => steps.push('break'),
      0,
    )
    expect(steps).toEqual([0, 'break'])
    await result
    expect(steps).toEqual([0, 'break', 1, 2])
  })

  it('lets others have their turn between two slices', async () => {
    const order: (number | string)[] = []
    const result = inSlices(
      3,
      (step) => order.push(step),
      () => {},
      0,
    )
    setImmediate(() => order.push('other'))
    await result
    expect(order.indexOf('other')).toBeLessThan(order.indexOf(2))
  })

  it('rejects with what a later step throws', async () => {
    function fail(step: number): void {
      if (step === 2) throw new Error('no')
    }
    await expect(inSlices(3, fail, () => {}, 0)).rejects.toThrow('no')
  })
})

describe('workInSlices', () => {
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

  it('rejects with what a later step throws', async () => {
    function* fail(): Work<void> {
      yield
      throw new Error('no')
    }
    await expect(workInSlices(fail(), 0)).rejects.toThrow('no')
  })
})

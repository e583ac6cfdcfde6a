import { afterEach, describe, expect, it, vi } from 'vitest'
import { TimeSlice } from '../../../../src/core/kernel/util/pace.ts'

afterEach(() => vi.restoreAllMocks())

describe('a pace', () => {
  it('is due after some milliseconds, and after a turn not before as many again', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1000)
    const pace = new TimeSlice()
    const isDueAt = (time: number) => {
      now.mockReturnValue(time)
      return pace.isUsedUp
    }
    expect([isDueAt(1000), isDueAt(1007), isDueAt(1008), isDueAt(2000)]).toEqual([false, false, true, true])
    await pace.yieldToEventLoop()
    expect([isDueAt(2007), isDueAt(2008)]).toEqual([false, true])
  })

  it('lets others run after each turn of any work, however many work at a time', async () => {
    const order: string[] = []
    async function work(name: string): Promise<void> {
      const pace = new TimeSlice()
      for (let step = 0; step < 4; step++) {
        await pace.yieldToEventLoop()
        order.push(name)
      }
    }
    const works = Promise.all(['a', 'b', 'c'].map(work))
    let isOver = false
    const others = () => {
      order.push('others')
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await works
    isOver = true
    expect(order.slice(0, 18).join(' ')).toBe('a others b others c others '.repeat(3).trim())
  })

  it('gives each of many its turn, whatever becomes of the others', async () => {
    const pace = new TimeSlice()
    const failing = pace.yieldToEventLoop().then(() => Promise.reject(new Error('no')))
    const turns = Promise.all(Array.from({ length: 100 }, () => pace.yieldToEventLoop()))
    await expect(failing).rejects.toThrow('no')
    expect(await turns).toHaveLength(100)
  })
})

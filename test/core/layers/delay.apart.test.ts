import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import type { RequestHandler } from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { delay, pause } from '../../../src/core/layers/delay.ts'
import { echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('delay', () => {
  it.each([
    ['the shortest', {}, 0, 200],
    ['the longest', {}, 0.9999999, 1499],
    ['a middle', {}, 0.5, 850],
    ['the shortest given', { min: 5, max: 7 }, 0, 5],
    ['the longest given', { min: 5, max: 7 }, 0.9999999, 7],
    ['the only', { min: 3, max: 3 }, 0.7, 3],
    ['one millisecond of', { min: 0, max: 1 }, 0.5, 1],
  ])('waits %s time and reports it', (_case, range, number, wanted) => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T09:30:00.000Z') })
    let isNext = false
    const next = () => {
      isNext = true
    }
    const headers: [string, string][] = []
    const res = Object.assign(new EventEmitter(), {
      setHeader: (name: string, value: string) => headers.push([name, value]),
    })
    Reflect.apply(delay({ ...range, random: () => number }), undefined, [{ headers: {} }, res, next])

    vi.advanceTimersByTime(wanted - 1)
    expect(isNext).toBe(false)
    vi.advanceTimersByTime(1)
    expect(isNext).toBe(true)
    expect(headers).toEqual([
      ['X-Simulated-Delay', `${wanted}ms`],
      ['X-Server-Time', new Date().toISOString()],
    ])
    expect(res.listenerCount('close')).toBe(0)
  })

  it.each(expressVersions)('delays the answers of %s', async (_, make) => {
    const { port } = await echo([delay({ min: 20, max: 30 })], make)
    const start = performance.now()
    const { headers } = await exchange(port, { method: 'GET', path: '/' })
    expect(performance.now() - start).toBeGreaterThanOrEqual(19)
    expect(headers['x-simulated-delay']).toMatch(/^(2\d|30)ms$/)
    expect(headers['x-server-time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  it('stops waiting for a client that has gone', async () => {
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    const notes = new EventEmitter()
    const leave: RequestHandler = (_req, res, next) => {
      next()
      res.once('close', () => notes.emit('closed'))
      leaving.destroy()
    }
    const { port, seen } = await echo([leave, delay({ min: 600_000, max: 600_000 })])
    const leaving = request({ host: '127.0.0.1', port })
    leaving.end()
    await Promise.all([once(leaving, 'error'), once(notes, 'closed')])

    expect(cleared).toHaveBeenCalled()
    expect(seen).toEqual([])
  })

  it.each([
    { min: -1 },
    { max: 1.5 },
    { min: '200' },
    { min: 10, max: 9 },
    { max: 2 ** 31 },
    { max: Number.NaN },
    { wait: 1 },
    5,
  ])('refuses the options %j', (options) => {
    expect(() => Reflect.apply(delay, undefined, [options])).toThrow(ConfigError)
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('pause', () => {
  it('makes each request wait', async () => {
    const { port } = await echo([pause(50)])
    const start = performance.now()
    await exchange(port, { method: 'GET', path: '/' })
    expect(performance.now() - start).toBeGreaterThanOrEqual(48)
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../src/catalogue/error-classes.ts'
import { pause } from '../../src/layers/pause.ts'
import { echo } from '../support/http/echo.ts'
import { exchange } from '../support/http/exchange.ts'

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

  it('sets no timer for 0', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const next = vi.fn()
    Reflect.apply(pause(0), undefined, [{}, {}, next])
    expect(next).toHaveBeenCalledOnce()
    expect(timers).not.toHaveBeenCalled()
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5'])('refuses %s', (milliseconds) => {
    expect(() => Reflect.apply(pause, undefined, [milliseconds])).toThrow(ConfigError)
  })
})

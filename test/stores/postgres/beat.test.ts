import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { beat } from '../../../src/stores/postgres/beat.ts'

const PATIENCE_MS = 60

/** A pulse that counts what it asks, and notes when it is told of silence. */
function pulse(ask: () => Promise<unknown>) {
  const seen = { asked: 0, silences: 0 }
  const count = () => {
    seen.asked++
    return ask()
  }
  const stop = beat(count, PATIENCE_MS, () => seen.silences++)
  onTestFinished(stop)
  return { stop, seen }
}

describe('a pulse', () => {
  it('goes on as long as there are answers, and tells nobody', async () => {
    const { seen } = pulse(() => Promise.resolve())
    await expect.poll(() => seen.asked).toBeGreaterThan(5)
    expect(seen.silences).toBe(0)
  })

  it('tells of silence, once, and no sooner than the patience ends', async () => {
    const start = performance.now()
    const { seen } = pulse(() => new Promise(() => {}))
    await expect.poll(() => seen.silences, { interval: 1 }).toBe(1)
    expect(performance.now() - start).toBeGreaterThanOrEqual(PATIENCE_MS)
    await sleep(2 * PATIENCE_MS)
    expect(seen).toEqual({ asked: 1, silences: 1 })
  })

  it('takes nobody for silent because this process was busy: an answer that is there counts', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const other = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       parentPort.on('message', () => { parentPort.postMessage(''); Atomics.store(workerData, 0, 1) })`,
      { eval: true, workerData: flag },
    )
    onTestFinished(async () => void (await other.terminate()))
    await new Promise((resolve) => other.once('online', resolve))
    const { seen } = pulse(async () => {
      if (seen.asked > 1) return
      const answered = new Promise((resolve) => other.once('message', resolve))
      other.postMessage('')
      setImmediate(() => {
        const end = performance.now() + 2 * PATIENCE_MS
        while (performance.now() < end || Atomics.load(flag, 0) === 0);
      })
      await answered
    })
    await expect.poll(() => seen.asked).toBeGreaterThan(2)
    expect(seen.silences).toBe(0)
  })

  it.each([
    ['before it asks', 0, () => Promise.resolve()],
    ['while it waits for an answer', 1, () => new Promise(() => {})],
    ['while an answer is on its way', 1, () => sleep(10)],
  ])('is silent itself once it is stopped: %s', async (_, asked, ask) => {
    const { stop, seen } = pulse(() => {
      stop()
      return ask()
    })
    if (asked === 0) stop()
    await sleep(3 * PATIENCE_MS)
    expect(seen).toEqual({ asked, silences: 0 })
  })
})

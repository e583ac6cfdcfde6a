import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { JobThread, ThreadBusyError } from '../../src/work/job-thread.ts'

/** Doubles numbers, says which thread it is, and fails at 0. */
const DOUBLE = `
  const { parentPort, threadId, workerData } = require('node:worker_threads')
  parentPort.on('message', (n) => {
    if (n === 0) throw new Error('nothing to double')
    parentPort.postMessage({ twice: n * workerData, threadId })
  })
`

interface Doubled {
  readonly twice: number
  readonly threadId: number
}

const doubling = (options: { most?: number; idle?: number } = {}) =>
  new JobThread<number, Doubled>(DOUBLE, { data: 2, most: 10, ...options })

describe('a job thread', () => {
  it('does all jobs, each for the one who asked, in one thread', async () => {
    const thread = doubling()
    const done = await Promise.all([1, 2, 3, 4].map((n) => thread.run(n)))
    expect(done.map(({ twice }) => twice)).toEqual([2, 4, 6, 8])
    expect(new Set(done.map(({ threadId }) => threadId)).size).toBe(1)
  })

  it('refuses more than may wait', async () => {
    const thread = doubling({ most: 2 })
    const jobs = [1, 2, 3, 4].map((n) => thread.run(n))
    await expect(jobs[3]).rejects.toThrow(ThreadBusyError)
    expect(await Promise.all(jobs.slice(0, 3))).toHaveLength(3)
    expect((await thread.run(5)).twice).toBe(10)
  })

  it('leaves out what nobody waits for any more, and takes others in its place', async () => {
    const thread = doubling({ most: 2 })
    const [first, , third] = [thread.run(1), thread.run(2, () => false), thread.run(3), thread.run(4)]
    expect((await first).twice).toBe(2)
    expect((await third)?.twice).toBe(6)
  })

  it('fails with the job alone, and goes on', async () => {
    const thread = doubling()
    const [bad, good] = [thread.run(0), thread.run(1)]
    await expect(bad).rejects.toThrow('nothing to double')
    expect((await good).twice).toBe(2)
  })

  it('ends when there is nothing to do, and begins again', async () => {
    const thread = doubling({ idle: 1 })
    const { threadId } = await thread.run(1)
    await expect.poll(async () => (await thread.run(1)).threadId, { interval: 100 }).not.toBe(threadId)
  })

  it('never keeps the process', () => {
    const file = fileURLToPath(new URL('../../src/work/job-thread.ts', import.meta.url))
    const program = `
      const { JobThread } = await import(${JSON.stringify(file)})
      const thread = new JobThread(${JSON.stringify(DOUBLE)}, { data: 2, most: 1, idle: 60_000 })
      console.log((await thread.run(21)).twice)
    `
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 })
    expect([stdout, stderr]).toEqual(['42\n', ''])
  })
})

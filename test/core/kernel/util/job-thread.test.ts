import { describe, expect, it } from 'vitest'
import { JobThread, makeThread } from '../../../../src/core/kernel/util/job-thread.ts'

/** Doubles numbers and says which thread it is. Fails at 0, ends at -1, never answers at -2, and leaves after -3. */
const DOUBLE = `
  const { parentPort, threadId, workerData } = require('node:worker_threads')
  parentPort.on('message', (n) => {
    if (n === 0) throw new Error('nothing to double')
    if (n === -1) process.exit()
    while (n === -2);
    parentPort.postMessage({ twice: n * workerData, threadId })
    if (n === -3) setImmediate(() => process.exit())
  })
  parentPort.postMessage('ready')
`

interface Doubled {
  readonly twice: number
  readonly threadId: number
}

interface Options {
  readonly most?: number
  readonly idle?: number
  readonly limit?: number
  readonly program?: string
}

const doubling = ({ most = 10, idle, limit = 20_000, program = DOUBLE }: Options = {}) =>
  new JobThread<number, Doubled>({
    makeThread: () => makeThread(program, { workerData: 2 }),
    most,
    idle,
    limit,
  })

describe('a job thread', () => {
  it('does all jobs, each for the one who asked, in one thread', async () => {
    const thread = doubling()
    const done = await Promise.all([1, 2, 3, 4].map((n) => thread.run(n)))
    expect(done.map(({ twice }) => twice)).toEqual([2, 4, 6, 8])
    expect(new Set(done.map(({ threadId }) => threadId)).size).toBe(1)
  })

  it('refuses more than may wait', async () => {
    const thread = doubling({ most: 2 })
    await thread.run(1)
    const jobs = [1, 2, 3, 4].map((n) => thread.run(n))
    await expect(jobs[3]).rejects.toMatchObject({ fault: 'busy' })
    expect(await Promise.all(jobs.slice(0, 3))).toHaveLength(3)
    expect((await thread.run(5)).twice).toBe(10)
  })

  it('leaves out what nobody waits for any more, and takes others in its place', async () => {
    const thread = doubling({ most: 2 })
    const jobs = [thread.run(1), thread.run(2, () => false), thread.run(3), thread.run(4)]
    const results = await Promise.allSettled(jobs)
    expect(results).toMatchObject([
      { value: { twice: 2 } },
      { reason: { fault: 'unwanted' } },
      { value: { twice: 6 } },
      { reason: { fault: 'busy' } },
    ])
  })

  it.each([
    ['fails', 0, { fault: 'died', message: expect.stringContaining('nothing to double') }],
    ['ends the thread', -1, { fault: 'died' }],
    ['takes too long', -2, { fault: 'slow' }],
  ])('rejects a job that %s, and does the next in another thread', async (_, n, reason) => {
    const thread = doubling({ limit: 2000 })
    const { threadId } = await thread.run(1)
    const [bad, good] = await Promise.allSettled([thread.run(n), thread.run(2)])
    expect(bad).toMatchObject({ status: 'rejected', reason })
    expect(good).toMatchObject({ value: { twice: 4, threadId: expect.toSatisfy((id) => id !== threadId) } })
  })

  it('may end between two jobs, and begins again', async () => {
    const thread = doubling()
    const { threadId } = await thread.run(-3)
    await expect
      .poll(async () => (await thread.run(1).catch(() => ({ threadId }))).threadId)
      .not.toBe(threadId)
  })

  it.each([
    ['fails', "throw new Error('no program')"],
    ['ends', 'process.exit()'],
  ])('whose program %s before it is ready rejects all who wait', async (_, program) => {
    const thread = doubling({ program })
    const results = await Promise.allSettled([thread.run(1), thread.run(2)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('rejects a job that cannot be sent, and goes on', async () => {
    const thread = new JobThread<unknown, Doubled>({
      makeThread: () => makeThread(DOUBLE, { workerData: 2 }),
      most: 2,
      limit: 20_000,
    })
    const [bad, good] = await Promise.allSettled([thread.run(() => 1), thread.run(1)])
    expect([bad.status, good]).toMatchObject(['rejected', { value: { twice: 2 } }])
  })

  it('ends when there is nothing to do, and begins again', async () => {
    const thread = doubling({ idle: 1 })
    const { threadId } = await thread.run(1)
    await expect.poll(async () => (await thread.run(1)).threadId, { interval: 100 }).not.toBe(threadId)
  })
})

import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import { afterEach, expect, it, vi } from 'vitest'
import { jwt } from '../../../../src/core/layers/jwt.ts'
import { create } from '../../../../src/serve/server/app.ts'
import { catchConsole } from '../../../support/console.ts'
import { json, serving } from '../../../support/http/serving.ts'

// Long enough that the thread is in the middle of it.
const ADA = { email: 'ada', password: hashSync('lovelace', 12) }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const started = () => serving(create().use(jwt({ users: [ADA], secret: 'x' })))

async function login(base: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${base}/login`, json('POST', { email: 'ada', password: 'lovelace' }))
  return { status: response.status, body: await response.json() }
}

/** The next thread that this process starts, when it is ready and has its first job. */
async function nextThread(prepare: (thread: Worker) => void = () => undefined): Promise<Worker> {
  const [thread] = (await once(process, 'worker')) as [Worker]
  prepare(thread)
  await once(thread, 'message')
  // Its first job follows in a few microtasks.
  await new Promise(setImmediate)
  return thread
}

// Each of the two leaves no thread behind.
it('a login whose thread is killed gets an answer, and the next one another thread', async () => {
  const errors = catchConsole('error')
  const base = await started()
  const killed = nextThread().then((thread) => thread.terminate())
  expect(await login(base)).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } })
  await killed
  expect(errors).toHaveLength(1)
  const again = nextThread()
  expect((await login(base)).status).toBe(200)
  await (await again).terminate()
})

it('a login that takes too long is told to come again, and the next one gets another thread', async () => {
  const base = await started()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const busy = nextThread((thread) => {
    // As if it never got done: the job does not even reach it.
    thread.postMessage = () => undefined
  }).then(() => vi.advanceTimersByTime(30_000))
  expect(await login(base)).toMatchObject({ status: 503, body: { code: 'SERVER_BUSY' } })
  await busy
  vi.useRealTimers()
  expect((await login(base)).status).toBe(200)
})

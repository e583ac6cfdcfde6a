import { Worker } from 'node:worker_threads'
import { onTestFinished, vi } from 'vitest'

/** What the threads of this process are given to do, as comparing a password: until the test ends. */
export function jobsOfThreads(): () => readonly unknown[] {
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => post.mockRestore())
  return () => post.mock.calls.map(([job]) => job)
}

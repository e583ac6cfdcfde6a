import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** What a request may run. More of them is a new layer around an old one: look for what it replaces. */
const MOST = { GET: [130, 16], POST: [220, 22] } as const

it('a read that nobody sent before and a write run few functions', { timeout: 60_000 }, async () => {
  const script = ['--import', 'tsx', 'scripts/count-functions.ts']
  // With `test`, no request is logged.
  const env = { ...process.env, NODE_ENV: 'development' }
  const { stdout } = await promisify(execFile)(process.execPath, script, { env })
  const lines = /^(GET|POST) .*: (?:200|201), (\d+) functions, and (\d+) that record it/gm
  const counts = Array.from(stdout.matchAll(lines), ([, method, walk, recording]) => [
    method,
    [Number(walk), Number(recording)],
  ])
  expect(counts.map(([method]) => method)).toEqual(['GET', 'POST'])
  const { GET = [], POST = [] } = Object.fromEntries(counts)
  for (const [[walk = 0, recording = 0], [most, mostRecording]] of [
    [GET, MOST.GET],
    [POST, MOST.POST],
  ] as const) {
    expect(walk).toBeGreaterThan(50)
    expect(walk).toBeLessThanOrEqual(most)
    expect(recording).toBeGreaterThan(0)
    expect(recording).toBeLessThanOrEqual(mostRecording)
  }
})

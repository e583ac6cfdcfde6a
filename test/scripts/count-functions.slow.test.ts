import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** What a request may run. More of them is a new layer around an old one: look for what it replaces. */
const MOST = { GET: 130, POST: 220 } as const

it('a read that nobody sent before and a write run few functions', { timeout: 60_000 }, async () => {
  const script = ['--import', 'tsx', 'scripts/count-functions.ts']
  // With `test`, no request is logged.
  const env = { ...process.env, NODE_ENV: 'development' }
  const { stdout } = await promisify(execFile)(process.execPath, script, { env })
  const counts = Array.from(stdout.matchAll(/^(GET|POST) .*: (200|201), (\d+) functions/gm), (line) => [
    line[1],
    Number(line[3]),
  ])
  expect(counts.map(([method]) => method)).toEqual(['GET', 'POST'])
  const { GET = 0, POST = 0 } = Object.fromEntries(counts)
  expect(GET).toBeGreaterThan(50)
  expect(GET).toBeLessThanOrEqual(MOST.GET)
  expect(POST).toBeGreaterThan(50)
  expect(POST).toBeLessThanOrEqual(MOST.POST)
})

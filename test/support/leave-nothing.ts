import { afterAll, expect, vi } from 'vitest'

const before = surroundings()

/** Files that share a process find it as it was: what a test may replace is put back, and what it must not change is looked at. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.resetConfig()
  expect(surroundings()).toEqual(before)
})

function surroundings(): object {
  return { folder: process.cwd(), env: { ...process.env } }
}

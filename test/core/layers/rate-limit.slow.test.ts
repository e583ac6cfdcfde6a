import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('a rate limit keeps no process alive', () => {
  const script = `
    import { rateLimit } from './src/core/layers/rate-limit.ts'
    rateLimit()({ headers: {}, ip: '::1' }, { setHeader() {} }, () => console.log('passed'))
  `
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    {
      encoding: 'utf8',
      timeout: 15_000,
    },
  )
  expect({ stdout, status }).toEqual({ stdout: 'passed\n', status: 0 })
})

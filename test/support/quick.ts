import childProcess from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect } from 'vitest'
import { cpuTime } from './cpu-time.ts'

/** Milliseconds of computing that a file of `npm test` may take. A busy machine does not lengthen them. */
const LIMIT = 5000

const STARTERS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const
const SLOW = 'rename the file to *.slow.test.ts, which `npm run test:all` runs.'

for (const name of STARTERS) {
  const refuse = () => {
    throw new Error(`A test of \`npm test\` starts no process: ${SLOW}`)
  }
  Object.assign(childProcess, { [name]: refuse })
}
syncBuiltinESMExports()

const before = cpuTime()
const t0 = performance.now()

afterAll(() => {
  const took = cpuTime() - before
  appendFileSync('/tmp/t-own.log', `${Math.round(took)} ${Math.round(performance.now() - t0)} ${expect.getState().testPath}\n`)
  expect(took, `Too long for \`npm test\`: split the file, make it cheaper, or ${SLOW}`).toBeLessThan(LIMIT)
})

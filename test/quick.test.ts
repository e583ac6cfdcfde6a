import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('a test of `npm test` cannot start a process, and is told what to do', async () => {
  const refusal = 'rename the file to *.slow.test.ts'
  expect(() => spawn('true')).toThrow(refusal)
  await expect(promisify(execFile)('true')).rejects.toThrow(refusal)
})

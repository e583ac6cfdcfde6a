import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** Doubles numbers, and never ends with -2. */
const DOUBLE = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (n) => {
    while (n === -2);
    parentPort.postMessage({ twice: n * 2 })
  })
  parentPort.postMessage('ready')
`

it.each([
  ['that rests', 'console.log((await thread.run(21)).twice)', '42\n'],
  ['with a job that has no end', 'thread.run(-2).catch((error) => console.log(error.fault))', 'slow\n'],
])('a job thread %s never keeps the process', (_, act, expected) => {
  const file = fileURLToPath(new URL('../../../../src/core/kernel/util/job-thread.ts', import.meta.url))
  const program = `
    const { JobThread, makeThread } = await import(${JSON.stringify(file)})
    const thread = new JobThread({
      makeThread: () => makeThread(${JSON.stringify(DOUBLE)}),
      most: 1,
      idle: 60_000,
      limit: 1000,
    })
    ${act}
  `
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 15_000,
  })
  expect([status, stdout, stderr]).toEqual([0, expected, ''])
})

import { expect, it } from 'vitest'
import { recordOutcome, saveFailure } from '../../src/page/client/outcomes.ts'

const FAILED = { code: 'WRITE_FAILED', message: 'The disk is full.', status: 503 }

it.each([
  ['a write', { method: 'PATCH', path: '/posts/1', status: 200 }, undefined],
  ['a refused write', { method: 'PATCH', path: '/posts/1', status: 409 }, FAILED.message],
  ['a read', { method: 'GET', path: '/posts/1', status: 200 }, FAILED.message],
  ['a change of the server', { method: 'POST', path: '/__faults', status: 200 }, FAILED.message],
])('after a failed save, %s is not saved: %j, %j', (_, outcome, expected) => {
  recordOutcome({ method: 'POST', path: '/posts', ...FAILED })
  expect(saveFailure.value).toBe(FAILED.message)
  recordOutcome(outcome)
  expect(saveFailure.value).toBe(expected)
})

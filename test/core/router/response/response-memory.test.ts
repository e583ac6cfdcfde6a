import { EventEmitter } from 'node:events'
import type { Response } from 'express'
import { expect, it } from 'vitest'
import { waitForRoom as admit } from '../../../../src/core/router/response/response-memory.ts'

const MB = 1024 * 1024

/** A client that has not read its answer yet. */
class Client extends EventEmitter {
  closed = false
  isServed = false
  error: unknown

  /** Asks for an answer of so many megabytes. */
  ask(size: number): this {
    const reading = { data: 'x'.repeat(size * MB), isCurrent: () => true }
    admit(reading, this as unknown as Response).then(
      (isWanted) => {
        this.isServed = isWanted
      },
      (error) => {
        this.error = error
      },
    )
    return this
  }

  leave(): void {
    this.closed = true
    this.emit('close')
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('lets large answers wait until there is room, in their order', async () => {
  const first = Array.from({ length: 4 }, () => new Client().ask(60))
  const late = new Client().ask(60)
  const last = new Client().ask(40)
  const small = new Client().ask(1)
  await settled()
  expect(first.every(({ isServed }) => isServed)).toBe(true)
  expect([late.isServed, last.isServed, small.isServed]).toEqual([false, false, true])
  first[1]?.leave()
  await settled()
  expect([late.isServed, last.isServed]).toEqual([true, false])
  for (const client of [...first, late]) if (!client.closed) client.leave()
  await settled()
  expect(last.isServed).toBe(true)
  last.leave()
})

it('keeps no room for those who left while they waited', async () => {
  const first = Array.from({ length: 4 }, () => new Client().ask(60))
  const impatient = new Client().ask(100)
  const patient = new Client().ask(50)
  first[0]?.leave()
  await settled()
  expect(patient.isServed).toBe(false)
  impatient.leave()
  await settled()
  expect(patient.isServed).toBe(true)
  expect(impatient.isServed).toBe(false)
  for (const client of [...first.slice(1), patient]) client.leave()
})

it('refuses what is too large', async () => {
  const client = new Client().ask(300)
  await settled()
  expect(client.error).toMatchObject({ code: 'ANSWER_TOO_LARGE' })
  expect(client.isServed).toBe(false)
})

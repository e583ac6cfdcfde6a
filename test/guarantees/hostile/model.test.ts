import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { start } from '../../../src/index.ts'
import { saved } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'
import {
  agrees,
  apply,
  type Operation,
  type Outcome,
  operation,
  type Row,
  toAsk,
} from '../../support/hostile/model.ts'
import { exchange } from '../../support/http/exchange.ts'
import { runs } from '../../support/length.ts'

/** Runs the work against a server with an empty collection, and returns the final contents of its file. */
async function serving(work: (port: number) => Promise<void>): Promise<unknown> {
  const home = folderOf({ 'db.json': { items: [] } })
  const server = await start({ source: join(home, 'db.json') })
  try {
    await work(server.port)
  } finally {
    await server.close()
  }
  return (await saved(home)).items
}

it('sequential requests do what a plain array would do', async () => {
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 5, maxLength: 30 }),
    async (operations) => {
      let rows: readonly Row[] = []
      const stored = await serving(async (port) => {
        for (const each of operations) {
          const outcome = apply(rows, each)
          const answer = await exchange(port, toAsk(each))
          expect(agrees(outcome, answer), JSON.stringify({ each, outcome, answer })).toBe(true)
          rows = outcome.rows
        }
      })
      expect(stored).toEqual(rows)
    },
  )
  await fc.assert(property, runs(20, 400))
})

it('concurrent requests do what they would have done in some order', async () => {
  const batches = fc.array(fc.array(operation, { minLength: 2, maxLength: 5 }), {
    minLength: 2,
    maxLength: 6,
  })
  const property = fc.asyncProperty(batches, async (rounds) => {
    let rows: readonly Row[] = []
    const stored = await serving(async (port) => {
      for (const batch of rounds) {
        const answers = await Promise.all(batch.map((each) => exchange(port, toAsk(each))))
        const now = await exchange(port, { method: 'GET', path: '/items' })
        const explanation = ordersOf(batch.map((each, at) => ({ each, at }))).find((order) => {
          let outcome: Outcome = { status: 200, body: rows, rows }
          for (const { each, at } of order) {
            outcome = apply(outcome.rows, each)
            const answer = answers[at]
            if (!answer || !agrees(outcome, answer)) return false
          }
          return agrees({ ...outcome, status: 200, body: outcome.rows }, now)
        })
        expect(explanation, JSON.stringify({ rows, batch, answers, now })).toBeDefined()
        rows = JSON.parse(now.body)
      }
    })
    expect(stored).toEqual(rows)
  })
  await fc.assert(property, runs(20, 400))
})

interface Sent {
  readonly each: Operation
  readonly at: number
}

function ordersOf(batch: readonly Sent[]): readonly (readonly Sent[])[] {
  if (batch.length <= 1) return [batch]
  return batch.flatMap((first) =>
    ordersOf(batch.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  )
}

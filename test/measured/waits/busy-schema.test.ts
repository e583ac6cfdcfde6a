import { describe, expect, it } from 'vitest'
import type { RealServer } from '../../support/child/real-server.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'
import { scene } from '../../support/hostile/scene.ts'
import { asLong } from '../../support/length.ts'

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

const MANY_ROWS = times(100_000, (n) => ({
  id: n + 1,
  name: `p${n}`,
  email: `p${n}@example.com`,
  at: '2026-01-01T00:00:00Z',
  size: { w: n % 7, h: null },
  company_id: (n % 100) + 1,
}))

/** What is served, and what a schema of it must tell. */
const SCENES: readonly [string, Parameters<typeof scene>[0], string][] = [
  ['a hundred thousand rows', { data: { items: MANY_ROWS } }, '"format": "email"'],
  [
    'a hundred thousand rows that others hold',
    { data: { items: MANY_ROWS }, from: 'db.mjs' },
    '"format": "email"',
  ],
  [
    'one row with a list of millions',
    { data: { items: [{ id: 1, list: [...times(3_000_000, (n) => n % 10), 'odd'] }] } },
    '"string"',
  ],
  [
    'rows with fifty thousand keys each',
    { data: { items: times(4, (n) => Object.fromEntries(times(50_000, (m) => [`k${n}-${m}`, m]))) } },
    '"additionalProperties"',
  ],
  [
    'a thousand collections',
    { data: Object.fromEntries(times(1000, (n) => [`c${n}`, [{ id: 1, a: 1, c1_id: 1 }]])) },
    '"C999"',
  ],
  [
    'texts of megabytes',
    { data: { items: times(20, (n) => ({ id: n, text: 'https://example.com/'.repeat(100_000) })) } },
    '"text"',
  ],
]

describe.each(SCENES)('the schema of %s', { timeout: 60_000 }, (_, options, expected) => {
  const start = scene(options)

  it.each(asLong([10], [1, 10]))(
    'asked for by %i clients keeps no other waiting for half a second',
    async (count) => {
      const wait = await othersWaitAtBest(start, async ({ ask }: RealServer) => {
        const paths = times(count, (n) => (n % 2 ? '/__openapi' : '/__schema'))
        const answers = await Promise.all(paths.map((path) => ask('GET', path)))
        expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
        expect(answers[0]?.body).toContain(expected)
      })
      expect(wait).toBeLessThan(LONGEST_WAIT)
    },
  )
})

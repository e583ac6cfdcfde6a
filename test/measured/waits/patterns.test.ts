import { beforeAll, expect, it } from 'vitest'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'

const ROWS = Array.from({ length: 3000 }, (_, n) => ({
  id: n + 1,
  title: n % 2 === 0 ? `draft ${n}` : `Final ${n}`,
  name: `${'a'.repeat(60)}!`,
  note: `lorem ipsum dolor ${n} `.repeat(9),
}))
const BOOKS = [{ id: 1, text: `${'lorem ipsum dolor '.repeat(300_000)}end end!` }]

let victim: Victim

beforeAll(async () => {
  victim = await attack({ items: ROWS, books: BOOKS })
})

const like = (path: string, field: string, ...patterns: readonly string[]) =>
  `/${path}?${patterns.map((pattern) => `${field}_like=${encodeURIComponent(pattern)}`).join('&')}`

const many = (of: (n: number) => string) => Array.from({ length: 50 }, (_, n) => of(n))

it.each<[string, string, number]>([
  ['would take V8 years', like('items', 'name', '(a+)+$', '(a|a?a)+$', '(.*a){20}$'), 200],
  ['have as many states as they can', like('items', 'name', ...many((n) => `(?:.{0,7}a){9}${n}$`)), 200],
  ['take long to compile', like('items', 'title', ...many((n) => `(?:ab{9}|b){15}${n}`)), 200],
  ['match rows of 200 characters', like('items', 'note', ...many((n) => `l.{30}m${n}x`)), 200],
  ['search 5 MB for text', like('books', 'text', 'END END!', `^${'lorem ipsum dolor '.repeat(9)}`), 200],
  ['would take long in 5 MB', like('books', 'text', '(\\w+ )+!'), 400],
  ['look ahead', like('items', 'name', '(?=(a+)+$)b'), 400],
  ['look back', like('items', 'name', '(?<=b(a|aa)+)!'), 400],
  ['refer back', like('items', 'name', '(a*)*\\1b'), 400],
  ['nest 3,000 deep', like('items', 'name', '('.repeat(3000) + ')'.repeat(3000)), 400],
  ['are open 3,000 times', like('items', 'name', '('.repeat(3000)), 200],
])(
  'patterns that %s, 10 times at once, keep nobody waiting',
  async (_, path, expected) => {
    const wait = await othersWaitAtBest(
      async () => victim,
      async () => {
        const asks = Array.from({ length: 10 }, () => victim.ask('GET', path))
        for (const { status, body } of await Promise.all(asks)) {
          expect(status).toBe(expected)
          if (status === 400) expect(JSON.parse(body)).toMatchObject({ code: 'INVALID_QUERY' })
        }
      },
    )
    expect(wait).toBeLessThan(LONGEST_WAIT)
  },
  60_000,
)

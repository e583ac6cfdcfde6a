import { describe, expect, it } from 'vitest'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { asLong } from '../../support/length.ts'

const ROWS = Array.from({ length: 2000 }, (_, n) => ({
  id: n + 1,
  name: `${'a'.repeat(60)}!${n}`,
  text: 'lorem ipsum dolor sit amet '.repeat(8),
  places: [{ city: 'Rome' }, { city: `City ${n}` }],
  owner_id: (n % 50) + 1,
}))
const OWNERS = Array.from({ length: 50 }, (_, n) => ({ id: n + 1 }))

/** Rules that a backtracking engine would never finish. */
const RULES = {
  '/slow/:word(([a-z]+)+)!': '/items/1',
  '/(a*)*b': '/items/1',
  '/:x(.*.*.*.*.*)=': '/items/1',
  '/deep/:a(\\d{1,50}x?)+/y': '/items/1',
}

let victim: Victim | undefined

async function renew(): Promise<Victim> {
  await victim?.stop('SIGKILL')
  victim = await attack(
    { items: ROWS, owners: OWNERS },
    { config: { routes: 'routes.json', foreignKeySuffix: '_id' }, files: { 'routes.json': RULES } },
  )
  // Warm-up: the first request of each kind also loads and compiles code.
  await victim.ask('GET', '/items?name_like=x&_sort=name')
  return victim
}

/** The current server; a new one whenever others had to wait too long for it. */
function servers(): () => Promise<Victim> {
  let isFirst = true
  return async () => {
    const next = victim && isFirst ? victim : await renew()
    isFirst = false
    return next
  }
}

const like = (pattern: string) => `/items?name_like=${encodeURIComponent(pattern)}`
const many = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join('')

const ATTACKS: readonly (readonly [string, string])[] = [
  ['a pattern with a plus of pluses', like('(a+)+$')],
  ['a pattern with stars of stars', like('((a*)*)*b')],
  ['a pattern of overlapping choices', like('(a|aa|a?a)+$')],
  ['a pattern of counted counts', like('((((a{1,50}){1,50}){1,50}){1,50}){1,50}b')],
  ['a pattern that is slow to compile', like('(?:a{1,1000}){1,1000}'.repeat(250))],
  ['a pattern of thousands of choices', like(`(${'a|'.repeat(4000)}a)*b`)],
  ['a pattern of a thousand maybes', like(`${'[a-z]?'.repeat(800)}zz$`)],
  ['a pattern that refers back', like('(a*)*\\1b')],
  ['a pattern that looks ahead', like('(?=(a+)+$)(?!(a*)*c)b')],
  ['a pattern with the whole of Unicode', like('\\p{L}{1,500}[\\u{0}-\\u{10FFFF}]{500}$')],
  ['hundreds of patterns', `/items?${many(500, (n) => `name_like=(a|aa)%2B${n}&`)}`],
  ['thousands of values', `/items?${many(1500, (n) => `id=${n}&`)}`],
  ['thousands of unknown parameters', `/items?${many(2500, (n) => `p${n}&`)}`],
  ['hundreds of nested filters', `/items?${many(700, (n) => `places.c${n}=1&`)}`],
  ['thousands of fields to sort by', `/items?_sort=${many(1500, (n) => `places${n},`)}`],
  ['one field to sort by, thousands of times', `/items?_sort=${'text,'.repeat(3000)}`],
  ['thousands of relations', `/owners?_embed=${'items,'.repeat(2000)}`],
  ['relations in circles', '/owners?_embed=items.owner.items.owner.items'],
  ['a thousand levels of relations', `/owners?_embed=${'items.owner.'.repeat(1000)}items`],
  ['hundreds of relations of relations', `/owners?_embed=${many(500, (n) => `items.owner.x${n},`)}`],
  ['an order by parents', '/items?_expand=owner&_sort=owner.name,owner.id&_limit=5'],
  ['hundreds of filters on parents', `/items?_expand=owner&${many(700, (n) => `owner.c${n}_ne=1&`)}`],
  ['thousands of fields', `/items?_fields=${many(2000, (n) => `a${n}.b,`)}text`],
  ['a field a thousand levels down', `/items?_fields=${'a.'.repeat(4000)}a&_omit=${'a.'.repeat(2000)}b`],
  ['a search for a long text', `/items?q=${'lorem '.repeat(1200).replaceAll(' ', '%20')}`],
  ['a rule with a plus of pluses', `/slow/${'a'.repeat(8000)}`],
  ['a rule with stars of stars', `/${'a'.repeat(12_000)}`],
  ['a rule of many anythings', `/${'x='.repeat(5000)}y`],
  ['a rule with a repeated group', `/deep/${'1'.repeat(8000)}`],
]

describe.each(ATTACKS)('%s', (_name, path) => {
  it.each(asLong([20], [1, 20]))('%i together keep nobody waiting for half a second', async (count) => {
    const wait = await othersWaitAtBest(
      servers(),
      async ({ ask }) => {
        const start = performance.now()
        const answers = await Promise.all(Array.from({ length: count }, () => ask('GET', path)))
        for (const { status } of answers) expect([200, 400, 404]).toContain(status)
        expect(performance.now() - start).toBeLessThan(10_000)
      },
      '/items/1',
    )
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })
})

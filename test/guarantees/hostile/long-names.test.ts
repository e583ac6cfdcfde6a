import { expect, it } from 'vitest'
import { attack } from '../../support/hostile/victim.ts'

const LONGEST = 'n'.repeat(1000)
const TOO_LONG = 'n'.repeat(1001)
const HUGE = 'n'.repeat(9_000_000)

it('a field’s name has at most 1,000 characters, however it is written', async () => {
  const victim = await attack({ items: [{ id: 1, name: 'a' }], profile: { name: 'p' } })
  const patch = { 'content-type': 'application/json-patch+json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [method, path, body, headers] of [
    ['POST', '/items', { [TOO_LONG]: 1 }],
    ['POST', '/items', [{ a: 1 }, { list: [[{ [HUGE]: 1 }]] }]],
    ['POST', '/items', `${TOO_LONG}=1`, form],
    ['PUT', '/items/1', { in: { [TOO_LONG]: 1 } }],
    ['PATCH', '/items/1', { [TOO_LONG]: 1 }],
    ['PATCH', '/items/1', [{ op: 'add', path: `/${TOO_LONG}`, value: 1 }], patch],
    ['PATCH', '/items?id=1', { [TOO_LONG]: 1 }],
    ['PATCH', '/profile', { in: { [TOO_LONG]: 1 } }],
    ['PUT', '/profile', { [TOO_LONG]: 1 }],
  ] as const) {
    const { status, body: answer } = await victim.ask(method, path, body, headers)
    expect([method, path, status, JSON.parse(answer).code]).toEqual([method, path, 422, 'VALIDATION_FAILED'])
  }
  expect((await victim.ask('POST', '/items', { [LONGEST]: { [LONGEST]: 1 } })).status).toBe(201)
})

it.each<[string, Record<string, unknown>]>([
  ['one of 9 MB', { items: [{ id: 1, [HUGE]: 1, in: { [HUGE]: [{ [HUGE]: 1 }] } }] }],
  [
    'many long ones',
    { items: [Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`${n}${'n'.repeat(900)}`, n]))] },
  ],
])('documents are small where a file has %s', async (_, data) => {
  const victim = await attack(data)
  for (const path of ['/__openapi', '/__schema', '/__service', '/__page']) {
    const { status, body } = await victim.ask('GET', path)
    expect([path, status]).toEqual([path, 200])
    expect([path, body.length < 20_000_000]).toEqual([path, true])
  }
})

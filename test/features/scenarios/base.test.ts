import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type StartOptions, start } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, BOB } from '../../support/http/members.ts'

const DATA = { posts: [{ id: 1 }, { id: 2 }], tags: [{ id: 1 }] }
const DAY = 86_400_000

async function open(settings: StartOptions) {
  const empty = fileOf({ posts: [] })
  const server = await start({
    scenarios: {
      empty: { data: empty },
      late: { clock: '+30d' },
      broken: { faults: { rules: [{ match: { path: '/tags' }, status: 503 }] } },
      ...settings.scenarios,
    },
    ...settings,
  })
  onTestFinished(() => server.close())
  return { server, ask: asking(server.url) }
}

describe('a base with a scenario', () => {
  it('begins so, goes back to it, and saves nothing', async () => {
    const source = fileOf(DATA)
    const { ask, server } = await open({ source, scenario: 'empty,late,broken' })
    expect(server.config.persist).toBe(false)
    const state = async (headers = {}) => {
      const { body } = await ask('GET', '/__clock', undefined, headers)
      return [
        (await ask('GET', '/posts', undefined, headers)).body,
        (await ask('GET', '/tags', undefined, headers)).status,
        Math.round((Date.parse(body.now) - Date.now()) / DAY),
      ]
    }
    const begun = [[], 503, 30]
    expect(await state()).toEqual(begun)
    for (const reset of [() => ask('POST', '/__reset'), () => server.reset()]) {
      await ask('POST', '/posts', {})
      await ask('PUT', '/__faults', { rules: [] })
      await ask('POST', '/__clock/advance', { by: '1d' })
      expect(await state()).toEqual([[{ id: 1 }], 200, 31])
      await reset()
      expect(await state()).toEqual(begun)
    }
    expect(await state({ 'X-Mock-Session': 'a' })).toEqual(begun)
    expect(JSON.parse(readFileSync(source, 'utf8'))).toEqual(DATA)
  })

  it('leaves an object of the program alone, and goes back to it with a seed, too', async () => {
    const data = structuredClone(DATA)
    const live = await open({ data, scenario: 'empty' })
    await live.ask('POST', '/posts', { id: 9 })
    expect((await live.ask('GET', '/posts')).body).toEqual([{ id: 9 }])
    expect(data).toEqual(DATA)
    const seeded = await open({
      source: fileOf(DATA),
      seed: fileOf({ posts: [{ id: 5 }], tags: [] }),
      scenario: 'empty',
    })
    await seeded.ask('POST', '/posts', {})
    await seeded.ask('POST', '/__reset')
    expect((await seeded.ask('GET', '/db')).body).toEqual({ posts: [], tags: [] })
  })

  it('has a user, whom sessions have as well', async () => {
    const { ask } = await open({
      data: { users: [ADA, BOB] },
      middlewares: ['accounts'],
      accounts: { persona: true },
      scenarios: { bob: { user: 'bob@example.com' }, ada: { user: 'ada' } },
      scenario: 'bob',
    })
    const emailOf = async (headers = {}) => (await ask('GET', '/me', undefined, headers)).body.email
    expect([
      await emailOf(),
      await emailOf({ 'X-Mock-Session': 'a' }),
      await emailOf({ 'X-Mock-Scenario': 'ada' }),
    ]).toEqual([BOB.email, BOB.email, ADA.email])
  })
})

const DATA_FILE = { scenarios: { empty: { data: '/nowhere/empty.json' } } }

it.each<[string, StartOptions, string]>([
  [
    'an unknown scenario',
    { scenarios: { empty: {} }, scenario: 'emtpy' },
    '"scenario": there is no scenario "emtpy". Did you mean "empty"?',
  ],
  [
    'none to name',
    { scenario: 'empty' },
    '"scenario": there is no scenario "empty". Describe it in "scenarios".',
  ],
  [
    'a database',
    { source: 'postgres://localhost/x', scenarios: { empty: {} }, scenario: 'empty' },
    '"scenario" begins without saving',
  ],
  ['a file that is missing', DATA_FILE, 'scenarios.empty.data: '],
  [
    'a file that is no data',
    { scenarios: { empty: { data: fileOf('{"posts": [') } } },
    'scenarios.empty.data: ',
  ],
])('does not start with %s', async (_, settings, message) => {
  const common = settings.source === undefined ? { data: {} } : {}
  const error = await start({ ...common, ...settings }).then(
    (server) => server.close(),
    (error: Error) => error,
  )
  expect(error).toMatchObject({ name: 'ConfigError' })
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain('\n')
})

it.each<[object, string]>([
  [
    { late: { clok: '+30d' } },
    'there is no setting "scenarios.late.clok". Did you mean "scenarios.late.clock"?',
  ],
  [{ late: { clock: 'tomorrow' } }, '"scenarios.late.clock" must be a duration such as "+30d"'],
  [{ late: { clock: '2027-02-30' } }, '"scenarios.late.clock" must be'],
  [{ late: { clock: '+9999999d' } }, '"scenarios.late.clock" must be'],
  [
    { broken: { faults: { rules: [{ rate: 0.2 }] } } },
    '"scenarios.broken.faults.rules.0" must be a rule with a status',
  ],
  [
    { broken: { faults: { rules: [{ status: 99 }] } } },
    '"scenarios.broken.faults.rules.0.status" must be a status from 200 to 599',
  ],
  [{ 'a b': {} }, '"scenarios.a b" must be made of 1 to 24 letters, digits, underscores and hyphens'],
  [{ ['x'.repeat(25)]: {} }, 'must be made of 1 to 24'],
  [{ empty: 'empty.json' }, '"scenarios.empty" must be an object with data, clock, faults and user'],
])('says in one line what is wrong with %j', async (scenarios, message) => {
  // As JavaScript, and as config files may have it.
  const error = await start({ data: {}, ...Object.fromEntries([['scenarios', scenarios]]) }).catch(
    (error: Error) => error,
  )
  expect(error).toMatchObject({ name: 'ConfigError' })
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain('\n')
})

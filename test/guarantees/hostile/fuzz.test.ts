import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { saved } from '../../support/child/real-server.ts'
import { Random } from '../../support/faults/random.ts'
import { expectDiscreet, SECRETS } from '../../support/hostile/discreet.ts'
import { makeRequest } from '../../support/hostile/requests.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'
import { asLong } from '../../support/length.ts'

const SECONDS = asLong(3, 60)
/** Longer than any response takes, and shorter than the server's own timeouts. */
const PATIENCE = 4000

const DATA = {
  items: [{ id: 1, name: 'aaaa', owner_id: 1 }],
  owners: [{ id: 1, name: 'o' }],
  profile: { name: 'p' },
}
const RULES = { '/api/*': '/$1', '/find/:name': '/items?name_like=:name' }
const GUARDS = {
  middlewares: ['rate-limit', 'api-key', 'jwt'],
  rateLimit: { limit: 1_000_000 },
  apiKey: { keys: { [SECRETS.key]: ['read', 'write'] } },
  jwt: { secret: SECRETS.jwt, users: [{ email: 'a@example.com', password: SECRETS.password }] },
}

it.each([
  ['open to everybody', {}],
  ['behind guards', GUARDS],
])(
  `${SECONDS} seconds of nearly right requests, %s: only sane answers, and it lives`,
  {
    timeout: SECONDS * 1000 + 60_000,
  },
  async (_name, guards) => {
    const config = { routes: 'routes.json', snapshots: 'snapshots', foreignKeySuffix: '_id', ...guards }
    const victim = await attack(DATA, { config, files: { 'routes.json': RULES } })
    const end = performance.now() + SECONDS * 1000
    const counts = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const random = new Random(4242 + number)
        while (performance.now() < end) {
          const bytes = makeRequest(random)
          const answer = await send(victim, bytes, random)
          for (const status of statusesOf(answer, bytes)) counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }),
    )
    expect([...counts.keys()].filter((status) => status >= 500)).toEqual([])
    expect(counts.size).toBeGreaterThan(5)

    const headers = { 'x-api-key': SECRETS.key }
    // A client that disconnected may have left a write in flight.
    await vi.waitFor(async () => {
      const { status, body } = await victim.ask('GET', '/db', undefined, headers)
      expect(status).toBe(200)
      expect(await saved(victim.home)).toEqual(JSON.parse(body))
    })
    expect(victim.process.stderr(), 'an error that nobody foresaw').not.toMatch(/^\s+at /m)
    expect(await victim.stop('SIGTERM')).toBe(0)
    expect((await readdir(victim.home)).filter((name) => name.startsWith('.'))).toEqual([])
  },
)

/** All responses until the server closes the connection, or stops sending. */
async function send(victim: Victim, bytes: Buffer, random: Random): Promise<string> {
  const socket = await dial(victim.port)
  socket.on('error', () => undefined)
  let heard = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const cut = random.below(bytes.length)
  socket.write(bytes.subarray(0, cut))
  socket.end(bytes.subarray(cut))
  const patience = setTimeout(() => socket.destroy(), PATIENCE)
  await closed
  clearTimeout(patience)
  // The origin is reflected, even if it happens to contain a secret.
  expectDiscreet(heard.replace(/^Access-Control-Allow-Origin: .*$/gm, ''))
  return heard
}

/** The statuses of the responses; fails if they are not valid HTTP. */
function statusesOf(answer: string, bytes: Buffer): readonly number[] {
  if (answer === '') return []
  expect(answer, bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 [1-5]\d\d [\w -]+\r\n/)
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))
}

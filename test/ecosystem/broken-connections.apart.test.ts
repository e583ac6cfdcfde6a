import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningServer, start } from '../../src/index.ts'
import { codesIn } from '../support/docs/markdown.ts'
import { fileOf } from '../support/folder.ts'
import { type Installed, installClients } from '../support/package/install.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/page/browser.ts'
import { pageAt, rowsWith } from '../support/page/pages.ts'

const FAULTS = ['reset', 'empty', 'hang', 'truncate'] as const
/** Much shorter than what hangs, much longer than anything else takes. */
const PATIENCE = 1500

/** Answers in pieces, without saying how long it will be. */
const CHUNKED = `module.exports = (req, res, next) => {
  if (!req.path.startsWith('/chunked')) return next()
  res.type('json')
  res.write('[' + JSON.stringify('x'.repeat(4000)) + ',')
  setTimeout(() => res.end(JSON.stringify('y'.repeat(4000)) + ']'), 20)
}`

let client: Installed
let browser: Browser | undefined
const servers: RunningServer[] = []

beforeAll(async () => {
  client = await installClients('axios')
  browser =
    CHROMIUM === undefined
      ? undefined
      : await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
  const file = fileOf(CHUNKED, 'chunked.cjs')
  const posts = Array.from({ length: 500 }, (_, id) => ({ id, title: `Post ${id}` }))
  const rules = FAULTS.flatMap((fault) =>
    ['posts', 'chunked'].map((name) => ({ match: { path: `/${name}?fault=${fault}` }, fault })),
  )
  for (const https of [false, true]) {
    servers.push(await start({ data: { posts }, https, middlewares: [file], faults: { rules } }))
  }
  // Self-signed: the certificate is not what is judged here.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
}, 180_000)

afterAll(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  await browser?.close()
  await Promise.all(servers.map((server) => server.close()))
})

interface Variant {
  readonly server: RunningServer
  readonly path: string
  readonly encoding: string
  /** Whether the connection was used before. */
  readonly isUsed: boolean
}

function variantsOf(fault: string): readonly Variant[] {
  const names = fault === 'truncate' ? ['posts', 'chunked'] : ['posts']
  return servers.flatMap((server) =>
    names.flatMap((name) =>
      ['identity', 'gzip'].flatMap((encoding) =>
        [false, true].map((isUsed) => ({ server, path: `/${name}?fault=${fault}`, encoding, isUsed })),
      ),
    ),
  )
}

const failure = z.looseObject({
  name: z.string(),
  message: z.string(),
  code: z.unknown().optional(),
  cause: z.looseObject({ code: z.unknown() }).optional().catch(undefined),
})

/** What the documentation calls what a client saw. */
function named(error: unknown): readonly string[] {
  const { name, message, cause } = failure.parse(error)
  if (name === 'TimeoutError') return [name]
  return [`${name}: ${message}`, ...(typeof cause?.code === 'string' ? [cause.code] : [])]
}

async function seenByFetch({ server, path, encoding, isUsed }: Variant): Promise<readonly string[]> {
  if (isUsed) await (await fetch(`${server.url}/posts/1`)).text()
  const seen: string[] = []
  try {
    const headers = { 'Accept-Encoding': encoding }
    const response = await fetch(server.url + path, { headers, signal: AbortSignal.timeout(PATIENCE) })
    seen.push(String(response.status))
    await response.text()
  } catch (error) {
    seen.push(...named(error))
  }
  return seen
}

async function seenByAxios({ server, path, encoding, isUsed }: Variant): Promise<readonly string[]> {
  const options = { keepAlive: true, maxSockets: 1 }
  const [httpAgent, httpsAgent] = [
    new HttpAgent(options),
    new HttpsAgent({ ...options, rejectUnauthorized: false }),
  ]
  const axios = client
    .require('axios')
    .create({ baseURL: server.url, httpAgent, httpsAgent, timeout: PATIENCE })
  try {
    if (isUsed) await axios.get('/posts/1')
    await axios.get(path, { headers: { 'Accept-Encoding': encoding } })
    return ['no failure']
  } catch (error) {
    return [String(failure.parse(error).code)]
  } finally {
    httpAgent.destroy()
    httpsAgent.destroy()
  }
}

async function seenByChromium({ server, path, isUsed, encoding }: Variant): Promise<readonly string[]> {
  // A page cannot choose its encoding: browsers always ask for compression.
  if (encoding !== 'gzip') return []
  const context = await browser?.newContext({ ignoreHTTPSErrors: true })
  const page = await context?.newPage()
  if (!context || !page) return []
  const seen: string[] = []
  page.on('requestfailed', (request) => seen.push(request.failure()?.errorText ?? ''))
  await page.goto(`${server.url}/posts/1`)
  if (isUsed) await page.evaluate("fetch('/posts/2').then((response) => response.text())")
  const found = await page.evaluate(`(async () => {
    let seen = []
    try {
      const response = await fetch('${path}', { signal: AbortSignal.timeout(${PATIENCE}) })
      seen = [String(response.status)]
      await response.text()
    } catch ({ name, message }) {
      seen.push(name === 'TimeoutError' ? name : name + ': ' + message)
    }
    return seen
  })()`)
  await context.close()
  const errors = seen.filter((error) => error !== 'net::ERR_ABORTED')
  return [...z.array(z.string()).parse(found), ...errors]
}

const CLIENTS: readonly (readonly [string, (variant: Variant) => Promise<readonly string[]>, boolean])[] = [
  ['`fetch` in Node', seenByFetch, true],
  ['axios in Node', seenByAxios, true],
  ['`fetch` in Chromium', seenByChromium, CHROMIUM !== undefined],
]

describe('the table of what clients make of broken connections', () => {
  const rows = rowsWith('Client', pageAt('docs/failures.md'))

  it('has a row for each client', () => {
    expect(rows.map(([name]) => name)).toEqual(CLIENTS.map(([name]) => name))
  })

  const cases = CLIENTS.filter(([, , isHere]) => isHere).flatMap(([name, look]) =>
    FAULTS.map((fault, place) => ({ name, look, fault, place })),
  )

  it.each(cases)(
    'says what $name sees of $fault',
    { timeout: 60_000 },
    async ({ name, look, fault, place }) => {
      const cell = rows.find(([client]) => client === name)?.[place + 1]
      const seen = await Promise.all(variantsOf(fault).map(look))
      expect([...new Set(seen.flat())].toSorted()).toEqual([...codesIn(cell)].toSorted())
    },
  )

  it.skipIf(CHROMIUM === undefined)(
    'and that browsers try again on a connection that they used before',
    async () => {
      const [server] = servers
      if (!server) throw new Error('There is no server')
      await fetch(`${server.url}/__faults`, { method: 'DELETE' })
      await seenByChromium({ server, path: '/posts?fault=reset', encoding: 'gzip', isUsed: true })
      const { rules } = z
        .object({ rules: z.array(z.looseObject({ fault: z.string(), hits: z.number() })) })
        .parse(await (await fetch(`${server.url}/__faults`)).json())
      expect(rules.find(({ fault }) => fault === 'reset')?.hits).toBe(2)
    },
  )
})

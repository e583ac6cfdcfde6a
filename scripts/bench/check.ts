import { type Ask, type MakeAsk, pathFor, personaFor } from './requests.ts'
import { type Pair, type RunningServer, UNSHARED } from './servers.ts'

const CHECKED = 12
const CHECK_AT_MOST_MS = 10_000

/** Sends the first requests to be timed to both, throws on any difference, and returns how many were compared. */
export async function checkSame({ ours, rival }: Pair, make: MakeAsk, rows: number): Promise<number> {
  const deadline = performance.now() + CHECK_AT_MOST_MS
  let n = 0
  while (n < CHECKED && (n === 0 || performance.now() < deadline)) {
    const ask = make(rows, n++)
    const [answer, expected] = await Promise.all([factsOf(ours, ask), factsOf(rival, ask)])
    for (const fact of ['status', 'total', 'body'] as const) {
      if (answer[fact] === expected[fact] || (fact === 'body' && ask.hasOtherRows)) continue
      const [was, should] = [answer, expected].map((facts) => JSON.stringify(facts[fact]).slice(0, 200))
      throw new Error(`${ask.method ?? 'GET'} ${ask.path}: ${fact} ${was} instead of ${should}`)
    }
  }
  return n
}

/** Checks that a server has exactly the products whose creation it acknowledged. */
export async function checkCreated(server: RunningServer, rows: number, expected: number): Promise<void> {
  // Asked for in other words each time: of two instances, one may not have heard yet that its cache is old.
  const { total } = await factsOf(server, { path: `/products?_page=1&_limit=1&_expand=none${expected}` })
  const created = Number(total) - rows
  if (created === expected) return
  throw new Error(`${server.name} acknowledged ${expected} new products and has ${created}`)
}

async function factsOf({ name, port }: RunningServer, ask: Ask) {
  const { method = 'GET', body: sent = null, gzip = false } = ask
  const path = pathFor(name, ask)
  const accepted = gzip ? 'gzip' : 'identity'
  const type = sent && { 'content-type': 'application/json' }
  const headers = { ...UNSHARED, 'accept-encoding': accepted, ...type, ...personaFor(name, ask) }
  const response = await fetch(`http://localhost:${port}${path}`, { method, headers, body: sent })
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (!response.ok || encoding !== accepted)
    throw new Error(`${method} ${path}: ${name} answered ${response.status}, ${encoding}`)
  // json-server sends a total only for paged lists.
  const total = path.includes('_limit') ? response.headers.get('x-total-count') : null
  const body = await response.text()
  // json-server 1.0 makes strings of ids.
  return { status: response.status, total, body: body.replace(/"id": "(\d+)"/g, '"id": $1') }
}

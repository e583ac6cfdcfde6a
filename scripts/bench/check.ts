import { type Ask, askOf, type MakeAsk } from './requests.ts'
import { type Pair, type RunningServer, UNSHARED } from './servers.ts'

/** A wrong response: no speed makes up for that. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

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
      const isCompared = fact !== 'body' || ask.hasOtherRows !== true
      if (!isCompared || answer[fact] === expected[fact]) continue
      const difference = `${fact} ${excerpt(answer[fact])} instead of ${excerpt(expected[fact])}`
      throw new WrongAnswer(`${ask.method ?? 'GET'} ${ask.path}: ${difference}`)
    }
  }
  return n
}

/** Checks that a server has exactly the products whose creation it acknowledged. */
export async function checkCreated(server: RunningServer, rows: number, expected: number): Promise<void> {
  const { total } = await factsOf(server, { path: '/products?_page=1&_limit=1' })
  const created = Number(total) - rows
  if (created === expected) return
  throw new WrongAnswer(`${server.name} acknowledged ${expected} new products and has ${created}`)
}

async function factsOf(server: RunningServer, ask: Ask) {
  const { method = 'GET', path, body, gzip = false } = askOf(server.name, ask)
  const type = body === undefined ? undefined : { 'content-type': 'application/json' }
  const response = await fetch(`http://localhost:${server.port}${path}`, {
    method,
    headers: { ...UNSHARED, 'accept-encoding': gzip ? 'gzip' : 'identity', ...type },
    body: body ?? null,
  })
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (!response.ok || encoding !== (gzip ? 'gzip' : 'identity'))
    throw new WrongAnswer(`${method} ${path}: ${server.name} answered ${response.status}, ${encoding}`)
  // json-server sends a total only for paged lists.
  const total = path.includes('_limit') ? response.headers.get('x-total-count') : null
  return { status: response.status, total, body: await response.text() }
}

function excerpt(value: string | number | null): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

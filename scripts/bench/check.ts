import { type RunningServer, UNSHARED } from './servers.ts'
import { type Ask, asks, type LoadName, type MakeAsk, type Sample } from './works.ts'

/** Two servers that should say the same. */
export interface Pair {
  readonly ours: RunningServer
  readonly rival: RunningServer
}

/** An answer that is not what it should be: no speed makes up for that. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

interface Answer {
  readonly status: number
  readonly total: string | null
  readonly encoding: string | null
  readonly text: string
}

const CHECKED = 12
const CHECK_AT_MOST_MS = 10_000

/** Asks both for the first things that will be timed, and refuses any difference between their answers. */
export async function checkSame(pair: Pair, work: LoadName, sample: Sample): Promise<void> {
  const make: MakeAsk = asks[work]
  const deadline = performance.now() + CHECK_AT_MOST_MS
  let n = 0
  while (n < CHECKED && (n === 0 || performance.now() < deadline)) {
    const asked = make(sample, n++)
    const [ours, theirs] = await Promise.all([answerOf(pair.ours, asked), answerOf(pair.rival, asked)])
    const fault = faultOf(asked, ours, theirs)
    if (fault !== undefined) throw new WrongAnswer(`${asked.method ?? 'GET'} ${asked.path}: ${fault}`)
  }
}

/** Sees that a server has every product whose creation it acknowledged, and no other. */
export async function checkCreated(server: RunningServer, rows: number, expected: number): Promise<void> {
  const answer = await fetch(`http://localhost:${server.port}/products?_page=1&_limit=1`, {
    headers: UNSHARED,
  })
  await answer.arrayBuffer()
  const created = Number(answer.headers.get('x-total-count')) - rows
  if (created === expected) return
  throw new WrongAnswer(`${server.name} acknowledged ${expected} new products and has ${created}`)
}

function faultOf(asked: Ask, ours: Answer, theirs: Answer): string | undefined {
  if (theirs.status > 299) return `the other server answered ${theirs.status}`
  if (ours.status !== theirs.status) return `status ${ours.status} instead of ${theirs.status}`
  if (ours.text !== theirs.text) return `${excerpt(ours.text)} instead of ${excerpt(theirs.text)}`
  if (theirs.total !== null && ours.total !== theirs.total) return `X-Total-Count ${ours.total}`
  if (asked.gzip && (ours.encoding !== 'gzip' || theirs.encoding !== 'gzip')) return 'no gzip'
  return undefined
}

async function answerOf(server: RunningServer, asked: Ask): Promise<Answer> {
  const { method = 'GET', path, body, gzip = false } = asked
  const answer = await fetch(`http://localhost:${server.port}${path}`, {
    method,
    headers: {
      ...UNSHARED,
      'accept-encoding': gzip ? 'gzip' : 'identity',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  return {
    status: answer.status,
    total: answer.headers.get('x-total-count'),
    encoding: answer.headers.get('content-encoding'),
    text: await answer.text(),
  }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

import { expect } from 'vitest'
import { type Answer, type Ask, exchange } from '../http/exchange.ts'
import { type Departure, depart, normalise, owed, wordless } from './compare.ts'
import { type Data, type Mode, type Pair, type Setup, startPair } from './servers.ts'

/** One request of a case, and how our answer departs from 0.17.4's, if it does. */
export interface Step<Id extends string = string> extends Ask {
  readonly differs?: Departure & { readonly id: Id | readonly Id[] }
}

/** Requests that both servers get, one after the other, on fresh data. */
export interface Case<Id extends string = string> {
  readonly name: string
  readonly data: Data
  readonly setup?: Setup
  readonly steps: readonly Step<Id>[]
  /** Top-level keys that hold something else with us when all is done. */
  readonly state?: { readonly id: Id | readonly Id[]; readonly data: Data }
}

/** What a server made up along the way, to be hidden in answers or sent back to it. */
interface Seen {
  id?: string
  etag?: string
}

/** One memory for each of the two, for as long as a case lasts. */
export interface Memory {
  readonly oracle: Seen
  readonly ours: Seen
}

/** A memory with nothing in it yet. */
export const newMemory = (): Memory => ({ oracle: {}, ours: {} })

/** Plays a case on a fresh pair and compares each answer, then what is served and what is stored. */
export async function play(each: Case, mode: Mode): Promise<void> {
  const pair = await startPair(each.data, mode, each.setup)
  try {
    const memory = newMemory()
    for (const step of each.steps) await compareStep(pair, step, memory)
    await compareState(pair, each, memory)
  } finally {
    await pair.close()
  }
}

/**
 * Sends a step to both servers and compares. In a path `{id}` stands for the last id that the server made up
 * by chance, in a header `{etag}` for the last ETag it sent.
 */
export async function compareStep(pair: Pair, step: Step, memory = newMemory()): Promise<void> {
  const [oracle, ours] = await Promise.all([
    ask(pair.oracle.port, step, memory.oracle),
    ask(pair.ours.port, step, memory.ours),
  ])
  const named = idsOf(step.differs)
  const full = await fullAnswer(pair, step, oracle)
  const expected = owed(step, oracle, full, named)
  if (step.differs === undefined) {
    expect(ours).toEqual(expected)
    return
  }
  expect(ours, `names ${[...named].join(', ')} but answers as 0.17.4 does`).not.toEqual(expected)
  const departed = depart(step, owed(step, oracle, full, new Set()), step.differs)
  const { etag: _, ...headers } = ours.headers
  if (step.differs.code !== undefined) expect(wordless({ ...ours, headers })).toEqual(departed)
  else expect('etag' in departed.headers ? ours : { ...ours, headers }).toEqual(departed)
}

/** A step in one line, as a test is called. */
export function nameOf({ method, path, headers = {} }: Step): string {
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path}`, ...extra].join(', ')
}

async function ask(port: number, step: Step, seen: Seen): Promise<Answer> {
  const path = step.path.replace('{id}', seen.id ?? '{id}')
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name,
    value.replace('{etag}', seen.etag ?? ''),
  ])
  const answer = normalise(
    await exchange(port, { ...step, path, headers: Object.fromEntries(headers) }),
    port,
  )
  const made = step.method === 'POST' ? randomId(answer.body) : undefined
  if (made !== undefined) seen.id = made
  if (answer.headers.etag !== undefined) seen.etag = answer.headers.etag
  return hideId(answer, seen.id)
}

async function fullAnswer(pair: Pair, step: Step, answer: Answer): Promise<Answer> {
  if (step.method !== 'HEAD' && answer.status !== 304) return answer
  return exchange(pair.oracle.port, { method: 'GET', path: step.path })
}

/** Compares what both serve in the end, and what they have stored. */
export async function compareState(
  pair: Pair,
  each: Pick<Case, 'setup' | 'state'>,
  memory: Memory,
): Promise<void> {
  const read = { method: 'GET', path: `${each.setup?.mount ?? ''}/db` }
  const oracle = await ask(pair.oracle.port, read, memory.oracle)
  const ours = await ask(pair.ours.port, read, memory.ours)
  const stored = hide(await pair.ours.stored(), memory.ours.id)
  if (each.state === undefined) {
    expect(ours.body, 'what /db serves').toBe(oracle.body)
    expect(stored, 'what is stored').toBe(hide(await pair.oracle.stored(), memory.oracle.id))
    return
  }
  const expected = JSON.stringify({ ...parseObject(oracle.body), ...each.state.data }, null, 2)
  expect(ours.body, 'names a difference but ends up as 0.17.4 does').not.toBe(oracle.body)
  expect(ours.body, 'what /db serves').toBe(expected)
  expect(stored, 'what is stored').toBe(expected)
}

function idsOf(differs: Step['differs']): Set<string> {
  if (differs === undefined) return new Set()
  return new Set(typeof differs.id === 'string' ? [differs.id] : differs.id)
}

/** The id that a server made up by chance: json-server's are seven characters of nanoid's alphabet. */
function randomId(body: string): string | undefined {
  return /"_?id": "([\w-]{7})"/.exec(body)?.[1]
}

function hideId(answer: Answer, id: string | undefined): Answer {
  if (id === undefined) return answer
  const { etag: _, location, ...headers } = answer.headers
  return {
    status: answer.status,
    headers: location === undefined ? headers : { ...headers, location: hide(location, id) },
    body: hide(answer.body, id),
  }
}

function hide(text: string, id: string | undefined): string {
  return id === undefined ? text : text.replaceAll(id, '<id>')
}

function parseObject(text: string): object {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}

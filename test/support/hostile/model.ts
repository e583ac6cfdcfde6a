import fc from 'fast-check'
import type { Answer, Ask } from '../http/exchange.ts'

export interface Row extends Readonly<Record<string, unknown>> {
  readonly id: number
}

/** What a plain array does with a request: a reference model in a few lines. */
export interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly rows: readonly Row[]
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly id?: number | undefined
  readonly body?: unknown
}

export function apply(rows: readonly Row[], { method, id, body }: Operation): Outcome {
  if (method === 'POST') return insert(rows, body)
  if (id === undefined) return { status: 200, body: rows, rows }
  const old = rows.find((row) => row.id === id)
  if (!old) return { status: 404, body: {}, rows }
  if (method === 'GET') return { status: 200, body: old, rows }
  if (method === 'DELETE') return { status: 200, body: {}, rows: rows.filter((row) => row !== old) }
  const next: Row = { ...(method === 'PATCH' ? old : {}), ...Object(body), id }
  return { status: 200, body: next, rows: rows.map((row) => (row === old ? next : row)) }
}

function insert(rows: readonly Row[], body: unknown): Outcome {
  let all = rows
  const created: Row[] = []
  for (const given of [body].flat()) {
    const id = Object(given).id ?? Math.max(0, ...all.map((row) => row.id)) + 1
    if (all.some((row) => row.id === id)) return { status: 409, body: undefined, rows }
    const row: Row = { ...Object(given), id }
    all = [...all, row]
    created.push(row)
  }
  return { status: 201, body: Array.isArray(body) ? created : created[0], rows: all }
}

export function toAsk({ method, id, body }: Operation): Ask {
  return {
    method,
    path: id === undefined ? '/items' : `/items/${id}`,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }
}

/** Whether the server responded like the model; of a refusal, only the status is compared. */
export function agrees({ status, body }: Outcome, answer: Answer): boolean {
  if (status !== answer.status) return false
  return (
    body === undefined || JSON.stringify(sorted(body)) === JSON.stringify(sorted(JSON.parse(answer.body)))
  )
}

/** The order of fields does not matter; that of rows does. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const id = fc.integer({ min: 1, max: 6 })
const fields = fc.record({ name: fc.string({ maxLength: 5 }), n: fc.integer() }, { requiredKeys: [] })
const given = fc.oneof(
  fields,
  fc.tuple(fields, id).map(([row, key]) => ({ ...row, id: key })),
)

/** Few ids, so that requests meet the same rows. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: given.map((body): Operation => ({ method: 'POST', body })) },
  {
    weight: 1,
    arbitrary: fc.array(given, { maxLength: 3 }).map((body): Operation => ({ method: 'POST', body })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(id, given).map(([key, body]): Operation => ({ method: 'PUT', id: key, body })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(id, given).map(([key, body]): Operation => ({ method: 'PATCH', id: key, body })),
  },
  { weight: 3, arbitrary: id.map((key): Operation => ({ method: 'DELETE', id: key })) },
  { weight: 1, arbitrary: id.map((key): Operation => ({ method: 'GET', id: key })) },
  { weight: 1, arbitrary: fc.constant<Operation>({ method: 'GET' }) },
)

import { pathOf, withQuery } from '../client/query.ts'
import { isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { type Id, isId } from './keys.ts'
import { isName, NAME_FIELDS, nameOf, rowsOf } from './rows.ts'

/** A row as people choose it. */
export interface NamedRow {
  readonly id: Id
  readonly name: string
}

/** Those that rows of a collection were seen with. */
const seenFields = new Map<string, Set<string>>()

const MOST_FOUND = '20'

/** The rows with these ids; undefined if the server refuses. */
export function listById(resource: string, ids: readonly string[]): Promise<readonly NamedRow[] | undefined> {
  return list(
    resource,
    ids.map((id) => [idField(), id]),
  )
}

/** The first rows with such an id or a name that contains the text, those first whose name begins with it. */
export async function findRows(resource: string, text: string): Promise<readonly NamedRow[] | undefined> {
  const limit = ['_limit', MOST_FOUND] as const
  if (text === '' || !seenFields.has(resource)) {
    const first = await list(resource, [limit])
    if (text === '' || first === undefined) return first
  }
  const [field, ...others] = NAME_FIELDS.filter((one) => seenFields.get(resource)?.has(one))
  if (field === undefined) return list(resource, [limit, ['q', text]])
  const lists = (['startsWith', 'contains'] as const).map((operator) => {
    const byName = [field, ...others].map((one) => ({ [one]: { [operator]: text } }))
    const where = JSON.stringify({ or: [{ [idField()]: text }, ...byName] })
    return list(resource, [limit, ['_where', where], ['_sort', field]])
  })
  const [starting, containing] = await Promise.all(lists)
  if (!starting || !containing) return undefined
  const merged = new Map([...starting, ...containing].map((row) => [row.id, row]))
  return [...merged.values()].slice(0, Number(MOST_FOUND))
}

async function list(
  resource: string,
  parameters: readonly (readonly [string, string])[],
): Promise<readonly NamedRow[] | undefined> {
  const fields = [idField(), ...NAME_FIELDS].join()
  const query = new URLSearchParams([
    ...parameters.map(([name, value]) => [name, value]),
    ['_fields', fields],
  ])
  const response = await send('GET', withQuery(pathOf(resource), query.toString()), { isRaw: true })
  const rows = rowsOf(response)
  if (!isOk(response) || rows === undefined) return undefined
  const seen = seenFields.get(resource) ?? new Set()
  for (const row of rows) for (const field of NAME_FIELDS) if (isName(row[field])) seen.add(field)
  if (rows.length > 0) seenFields.set(resource, seen)
  return rows.flatMap((row) => {
    const id = row[idField()]
    return isId(id) ? [{ id, name: nameOf(row, id) }] : []
  })
}

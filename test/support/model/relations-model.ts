import orderBy from 'lodash/orderBy.js'

/** What the relations of queries mean, written down as plainly as possible: it shares nothing with the server. */
export type Rows = Record<string, unknown>[]
export type Tables = Record<string, Rows>

export interface Asked {
  readonly embed: readonly string[]
  readonly expand: readonly string[]
  readonly filters: readonly { readonly path: string; readonly op: string; readonly value: string }[]
  readonly sort: readonly { readonly path: string; readonly order: 'asc' | 'desc' }[]
  readonly fields: readonly string[]
  readonly omit: readonly string[]
}

const PLURALS: Record<string, string> = {
  country: 'countries',
  company: 'companies',
  product: 'products',
  tag: 'tags',
  review: 'reviews',
}
const SINGULARS = Object.fromEntries(Object.entries(PLURALS).map(([one, many]) => [many, one]))

type Row = Record<string, unknown>
type Found = { readonly name: string; readonly table: string; find(row: Row): Row | Row[] | undefined }

const keyOf = (value: unknown) => (value === null || value === undefined ? undefined : String(value))
const has = (rows: Rows, field: string) => rows.some((row) => Object.hasOwn(row, field))

export function answer(tables: Tables, table: string, asked: Asked): { rows: Rows; total: number } {
  const relations = relationsOf(tables, table, asked)
  const parents = relations.filter(
    ({ relation, isParent }) => isParent && !has(rowsOf(tables, table), relation.name),
  )
  const read = (row: Row, path: string): unknown => valueAt(tables, row, path.split('.'), parents)
  const known = (path: string) => knows(tables, table, path.split('.'), parents)
  let rows = rowsOf(tables, table)
  for (const { path, op, value } of asked.filters) {
    if (!['ne', 'gte', 'lte'].includes(op) && !known(path)) continue
    rows = rows.filter((row) => passes(read(row, path), op, value))
  }
  const reads = asked.sort.map(
    ({ path }) =>
      (row: Row) =>
        read(row, path),
  )
  const orders = asked.sort.map(({ order }) => order)
  const sorted = reads.length > 0 ? orderBy(rows, reads, orders) : rows
  const shown = sorted.map((row) => shape(attach(tables, row, relations), asked, relations))
  return { rows: shown, total: rows.length }
}

interface Node {
  readonly relation: Found
  readonly isParent: boolean
  readonly kind: string
  readonly deeper: Node[]
}

function relationsOf(
  tables: Tables,
  table: string,
  { embed, expand }: Pick<Asked, 'embed' | 'expand'>,
): Node[] {
  const nodes: Node[] = []
  for (const path of embed) grow(tables, table, nodes, path.split('.'), false)
  for (const path of expand) grow(tables, table, nodes, path.split('.'), true)
  return nodes
}

function grow(
  tables: Tables,
  table: string,
  nodes: Node[],
  [name = '', ...rest]: string[],
  isExpand: boolean,
): void {
  const made = resolve(tables, table, name, isExpand, rest.length > 0)
  if (!made) return
  let node = nodes.find((one) => one.relation.name === name && one.kind === made.kind)
  if (!node) {
    node = { ...made, deeper: [] }
    nodes.push(node)
  }
  if (rest.length > 0) grow(tables, made.relation.table, node.deeper, rest, false)
}

function resolve(tables: Tables, table: string, name: string, isExpand: boolean, isDotted: boolean) {
  const plural = PLURALS[name]
  if (plural && tables[plural]) {
    const own = `${name}_id`
    const find = (row: Row) => byId(tables, plural, row[own])
    return { relation: { name, table: plural, find }, isParent: true, kind: 'parent' }
  }
  if (!tables[name]) return undefined
  const list = `${SINGULARS[name]}_ids`
  const listed = (row: Row) =>
    Array.isArray(row[list])
      ? [
          ...new Set(
            (row[list] as unknown[])
              .filter((id) => typeof id !== 'object')
              .map((id) => byId(tables, name, id)),
          ),
        ].filter((one) => one !== undefined)
      : undefined
  if (isExpand && !isDotted) {
    const find = (row: Row) => (Object.hasOwn(row, name) ? undefined : listed(row))
    return { relation: { name, table: name, find }, isParent: false, kind: 'listed' }
  }
  const key = `${SINGULARS[table]}_id`
  const theirs = rowsOf(tables, name)
  const find = (row: Row): Row[] => {
    const id = keyOf(row.id)
    if (has(theirs, key)) return id === undefined ? [] : theirs.filter((one) => keyOf(one[key]) === id)
    const holds = (one: Row) => {
      const ids = one[`${key}s`]
      return Array.isArray(ids) && ids.some((entry) => typeof entry !== 'object' && keyOf(entry) === id)
    }
    return listed(row) ?? (id === undefined ? [] : theirs.filter(holds))
  }
  return { relation: { name, table: name, find }, isParent: false, kind: 'embedded' }
}

function rowsOf(tables: Tables, table: string): Rows {
  return tables[table] ?? []
}

function byId(tables: Tables, table: string, id: unknown): Row | undefined {
  const key = keyOf(id)
  return key === undefined ? undefined : rowsOf(tables, table).find((row) => keyOf(row.id) === key)
}

function attach(tables: Tables, row: Row, nodes: readonly Node[]): Row {
  const attached = { ...row }
  for (const { relation, deeper } of nodes) {
    const found = relation.find(row)
    if (Array.isArray(found)) attached[relation.name] = found.map((one) => attach(tables, one, deeper))
    else if (found) attached[relation.name] = attach(tables, found, deeper)
  }
  return attached
}

/** The value at a path: of the row, or of a parent that is attached, as far as the table has no such field. */
function valueAt(
  tables: Tables,
  row: Row,
  [name = '', ...rest]: string[],
  parents: readonly Node[],
): unknown {
  const parent = rest.length > 0 ? parents.find(({ relation }) => relation.name === name) : undefined
  if (!parent) return rest.reduce<unknown>((value, part) => Object(value)[part], row[name])
  const found = parent.relation.find(row)
  return found && !Array.isArray(found) ? valueAt(tables, found, rest, usable(tables, parent)) : undefined
}

function usable(tables: Tables, { relation, deeper }: Node): readonly Node[] {
  return deeper.filter((one) => one.isParent && !has(rowsOf(tables, relation.table), one.relation.name))
}

function knows(tables: Tables, table: string, path: string[], parents: readonly Node[]): boolean {
  const [name = '', ...rest] = path
  const parent = rest.length > 0 ? parents.find(({ relation }) => relation.name === name) : undefined
  if (parent) return knows(tables, parent.relation.table, rest, usable(tables, parent))
  return rowsOf(tables, table).some((row) => {
    let value: unknown = row
    for (const part of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false
      value = (value as Row)[part]
    }
    return true
  })
}

function listIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}

function passes(value: unknown, op: string, text: string): boolean {
  const isThere = value !== null && value !== undefined
  if (op === 'null') return isThere === (text === 'false')
  if (!isThere) return false
  // As JavaScript compares a string with any value.
  const one = value as string
  switch (op) {
    case 'eq':
      return String(value) === text
    case 'ne':
      return String(value) !== text
    case 'in':
      return listIn(text).includes(String(value))
    case 'nin':
      return !listIn(text).includes(String(value))
    case 'gte':
      return one >= text
    case 'lte':
      return one <= text
    case 'gt':
      return one > text
    default:
      return one < text
  }
}

function shape(row: Row, { fields, omit }: Pick<Asked, 'fields' | 'omit'>, nodes: readonly Node[]): Row {
  const picked = fields.length > 0 ? pick(row, fields.map(split), nodes) : row
  return omit.length > 0 ? (leaveOut(picked, omit.map(split)) as Row) : picked
}

const split = (path: string) => path.split('.')

function pick(row: Row, paths: string[][], nodes: readonly Node[]): Row {
  const picked: Row = {}
  for (const [name, value] of Object.entries(row)) {
    const node = nodes.find(({ relation }) => relation.name === name)
    const mine = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
    if (mine.some((rest) => rest.length === 0) || (mine.length === 0 && node)) picked[name] = value
    else if (mine.length > 0) {
      const inner = (one: unknown) => pick(one as Row, mine, node?.deeper ?? [])
      const isObject = (one: unknown) => typeof one === 'object' && one !== null
      if (Array.isArray(value)) picked[name] = value.filter(isObject).map(inner)
      else if (isObject(value) && Object.keys(inner(value)).length > 0) picked[name] = inner(value)
    }
  }
  return picked
}

function leaveOut(value: unknown, paths: string[][]): unknown {
  if (Array.isArray(value)) return value.map((one) => leaveOut(one, paths))
  if (typeof value !== 'object' || value === null) return value
  const left: Row = {}
  for (const [name, inner] of Object.entries(value)) {
    const mine = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
    if (!mine.some((rest) => rest.length === 0)) left[name] = mine.length > 0 ? leaveOut(inner, mine) : inner
  }
  return left
}

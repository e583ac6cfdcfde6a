import { Pace } from '../../util/pace.ts'
import type { Source } from '../data/database.ts'
import type { Derivation } from '../data/derived.ts'
import { byId, fieldText, ranksBy } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { type Access, type Action, actionOnParent, MOST_STEPS, type Rights, rightsIn } from './rights.ts'

/** The source restricted to rows that `access` may read: fields, relations and counts follow from them alone. */
export function limitTo(source: Source, access: Access): Source {
  return {
    naming: source.naming,
    names: () => source.names(),
    kindOf: (name) => source.kindOf(name),
    table: (name) => reachableRows(source, access, name, 'read'),
    async object(name) {
      const object = await source.object(name)
      return object && (await rowTest(source, access, name, 'read'))(object) ? object : undefined
    },
  }
}

/** Returns whether a client may do something with a row, by its owner and the rows that its keys name. */
export async function rowTest(
  source: Source,
  access: Access,
  resource: string,
  action: Action,
): Promise<(row: Row) => boolean> {
  const { reach } = rightsIn(access, resource)[action]
  if (reach !== 'some') return () => reach === 'all'
  return testBy(access, resource, action, await parentsOf(source, access, resource, action, MOST_STEPS))
}

/**
 * The rows that a client may read or, of those, update. Cached with the table, and updated with it and with the parents:
 * costs what changed.
 */
async function reachableRows(
  source: Source,
  access: Access,
  name: string,
  action: 'read' | 'update',
  steps = MOST_STEPS,
): Promise<Table | undefined> {
  const isRead = action === 'read'
  const table = isRead ? await source.table(name) : await reachableRows(source, access, name, 'read', steps)
  const rights = rightsIn(access, name)
  const { reach, isForOwner, via } = rights[action]
  if (!table || reach === 'all') return table
  if (reach === 'none') return NOTHING
  const parents = await parentsOf(source, access, name, action, steps)
  const owner = isForOwner ? rights.owner : undefined
  const scope: Scope = { table, user: access.user, owner, parents, id: source.naming.id }
  const test = testBy(access, name, action, parents)
  const label = [access.user, owner, via, via.length > 0 && steps]
  const derivation: Derivation<Reached> = {
    name: `reachable ${JSON.stringify(label)}`,
    build: () => ({ parents, rows: collectRows(scope, test) }),
    update: (reached, changes) => {
      const edit = (rows: Table) =>
        rows.edit(
          changes.map(({ rank, after }) => (after !== undefined && test(after) ? { rank, after } : { rank })),
        )
      return isSame(reached.parents, parents) ? { parents, rows: reached.rows.then(edit) } : undefined
    },
  }
  const reached = await table.derive(derivation)
  if (!isSame(reached.parents, parents)) {
    const { parents: before, rows } = reached
    Object.assign(reached, { parents, rows: rows.then((old) => followParents(scope, before, old, test)) })
  }
  return reached.rows
}

const NOTHING = Table.of([])

interface Parent {
  readonly field: string
  /** Those that give access to the rows with their ids in the field. */
  readonly rows: Table
  readonly find: (id: string) => unknown
}

/** Its parents are replaced in place: a derivation is updated only when its own table changes. */
interface Reached {
  readonly parents: readonly Parent[]
  readonly rows: Promise<Table>
}

interface Scope {
  readonly table: Table
  readonly user: string | undefined
  readonly owner: string | undefined
  readonly parents: readonly Parent[]
  readonly id: string
}

async function parentsOf(
  source: Source,
  access: Access,
  resource: string,
  action: Action,
  steps: number,
): Promise<readonly Parent[]> {
  const parents: Parent[] = []
  for (const { field, resource: name } of rightsIn(access, resource)[action].via) {
    const rows =
      steps > 0 ? await reachableRows(source, access, name, actionOnParent(action), steps - 1) : undefined
    if (rows) parents.push({ field, rows, find: await byId(rows, source.naming.id) })
  }
  return parents
}

function testBy(
  access: Access,
  resource: string,
  action: Action,
  parents: readonly Parent[],
): (row: Row) => boolean {
  const rights = rightsIn(access, resource)
  const { isForOwner } = rights[action]
  return (row) => (isForOwner && isOwn(access, rights, row)) || parents.some((each) => isBelow(each, row))
}

function isOwn({ user }: Access, { owner }: Rights, row: Row): boolean {
  return user !== undefined && isChildOf(row, owner, user)
}

function isBelow({ field, find }: Parent, row: Row): boolean {
  const id = fieldText(row, field)
  return id !== undefined && find(id) !== undefined
}

function isSame(before: readonly Parent[], now: readonly Parent[]): boolean {
  return before.length === now.length && before.every(({ rows }, at) => rows === now[at]?.rows)
}

async function collectRows(scope: Scope, test: (row: Row) => boolean): Promise<Table> {
  const { table, parents } = scope
  const size = parents.reduce((sum, { rows }) => sum + rows.size, 0)
  const candidates = size > table.size ? table.rows.ranks() : await narrowedRanks(scope)
  const ranks: number[] = []
  const rows: Row[] = []
  const pace = new Pace()
  for (const [at, row] of table.pick(candidates).entries()) {
    if (test(row)) {
      ranks.push(candidates[at] ?? 0)
      rows.push(row)
    }
    if (pace.isDue) await pace.turn()
  }
  return Table.of(rows, ranks)
}

async function narrowedRanks({ table, user, owner, parents, id }: Scope): Promise<readonly number[]> {
  const ranks = new Set<number>()
  const pace = new Pace()
  if (user !== undefined && owner !== undefined) addAll(ranks, (await ranksBy(table, owner))(user))
  for (const { field, rows } of parents) {
    const ranksOf = await ranksBy(table, field)
    for (const row of rows.rows.items()) {
      const text = fieldText(row, id)
      if (text !== undefined) addAll(ranks, ranksOf(text))
      if (pace.isDue) await pace.turn()
    }
  }
  return [...ranks].sort((a, b) => a - b)
}

/** Tests the rows again whose parents came into reach, or went out of it. */
async function followParents(
  { table, parents, id }: Scope,
  before: readonly Parent[],
  rows: Table,
  test: (row: Row) => boolean,
): Promise<Table> {
  const ranks = new Set<number>()
  const pace = new Pace()
  for (const [at, { field, rows: now }] of parents.entries()) {
    const ranksOf = await ranksBy(table, field)
    for (const change of diff((before[at]?.rows ?? NOTHING).rows, now.rows)) {
      const [old, next] = [fieldText(change.before, id), fieldText(change.after, id)]
      for (const text of old === next ? [] : [old, next]) if (text !== undefined) addAll(ranks, ranksOf(text))
      if (pace.isDue) await pace.turn()
    }
  }
  const changes = [...ranks]
    .sort((a, b) => a - b)
    .map((rank) => {
      const row = table.row(rank)
      return row !== undefined && test(row) ? { rank, after: row } : { rank }
    })
  return rows.edit(changes)
}

function addAll(ranks: Set<number>, added: readonly number[]): void {
  for (const rank of added) ranks.add(rank)
}

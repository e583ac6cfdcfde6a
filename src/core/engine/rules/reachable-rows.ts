import { TimeSlice } from '../../kernel/util/pace.ts'
import type { TableSource } from '../data/database.ts'
import type { Derivation } from '../data/derived.ts'
import { byId, fieldText, ranksBy } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { type Difference, diff } from '../data/tree.ts'
import { idOf } from '../id-of.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { type Access, type Action, actionOnParent, MOST_STEPS, type Rights, rightsIn } from './rights.ts'

/** The source restricted to rows that `access` may read: fields, relations and counts follow from them alone. */
export function limitTo(source: TableSource, access: Access): TableSource {
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
  source: TableSource,
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
  source: TableSource,
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
  if (reach === 'none') return Table.EMPTY
  const parents = await parentsOf(source, access, name, action, steps)
  const owner = isForOwner ? rights.owner : undefined
  const test = testBy(access, name, action, parents)
  const label = [access.user, owner, via, via.length > 0 && steps]
  const build = async () => {
    const isMany = parents.reduce((sum, { rows }) => sum + rows.size, 0) > table.size
    const isOwned = access.user !== undefined && owner !== undefined && !isMany
    const owned = isOwned ? (await ranksBy(table, owner))(access.user) : []
    const ranks = isMany ? table.rows.ranks() : await ranksBelow(table, [], parents, owned)
    const rows = await rowsPassing(table, ranks, test)
    return Table.of([...rows.values()], [...rows.keys()])
  }
  const follow = async ({ parents: before, rows }: Reached, changes: readonly Difference<Row>[]) => {
    const old = await rows
    const own = changes.map(({ rank }) => rank)
    const ranks = await ranksBelow(table, before, parents, own)
    const left = ranks.filter((rank) => table.row(rank) !== undefined)
    const now = await rowsPassing(table, left, test)
    return old.edit(ranks.map((rank) => ({ rank, after: now.get(rank) })))
  }
  const derivation: Derivation<Reached> = {
    name: `reachable ${JSON.stringify(label)}`,
    build: () => ({ parents, rows: build() }),
    update: (reached, changes) => ({ parents, rows: follow(reached, changes) }),
  }
  const reached = await table.derive(derivation)
  if (!isSame(reached.parents, parents)) {
    Object.assign(reached, { parents, rows: follow({ ...reached }, []) })
  }
  return reached.rows
}

interface Parent {
  readonly field: string
  /** The field with their ids. */
  readonly id: string
  /** Parents that give access to the rows with their ids in the field. */
  readonly rows: Table
  readonly find: (id: string) => unknown
}

/** The reachable rows of a table. Parents are replaced in place: a derivation is updated only when its own table changes. */
interface Reached {
  readonly parents: readonly Parent[]
  readonly rows: Promise<Table>
}

async function parentsOf(
  source: TableSource,
  access: Access,
  resource: string,
  action: Action,
  steps: number,
): Promise<readonly Parent[]> {
  const parents: Parent[] = []
  for (const { field, resource: name } of rightsIn(access, resource)[action].via) {
    const table =
      steps > 0 ? await reachableRows(source, access, name, actionOnParent(action), steps - 1) : undefined
    // Also without rows: a parent keeps its position when its collection comes or goes.
    const rows = table ?? Table.EMPTY
    const id = idOf(name, source.naming)
    parents.push({ field, id, rows, find: await byId(rows, id) })
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

/** Of the rows whose parents came into reach, or went out of it, and of others; ascending. */
async function ranksBelow(
  table: Table,
  before: readonly Parent[],
  parents: readonly Parent[],
  others: readonly number[] = [],
): Promise<readonly number[]> {
  const ranks = new Set(others)
  const pace = new TimeSlice()
  for (const [at, { field, id, rows }] of parents.entries()) {
    const old = before[at]?.rows ?? Table.EMPTY
    if (old === rows) continue
    const ranksOf = await ranksBy(table, field)
    for (const change of diff(old.rows, rows.rows)) {
      const [was, is] = [fieldText(change.before, id), fieldText(change.after, id)]
      for (const text of was === is ? [] : [was, is]) {
        for (const rank of text === undefined ? [] : ranksOf(text)) ranks.add(rank)
      }
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
  }
  return [...ranks].sort((a, b) => a - b)
}

async function rowsPassing(
  table: Table,
  ranks: readonly number[],
  test: (row: Row) => boolean,
): Promise<ReadonlyMap<number, Row>> {
  const passing = new Map<number, Row>()
  const pace = new TimeSlice()
  for (const [at, row] of table.pick(ranks).entries()) {
    if (test(row)) passing.set(ranks[at] ?? 0, row)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return passing
}

import type { Source } from '../data/database.ts'
import type { Derivation } from '../data/derived.ts'
import { ranksWith } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { isOwn, mayRead } from './check-access.ts'
import { type Access, rightsIn } from './rights.ts'

/** The source restricted to rows that `access` may read: fields, relations and counts follow from them alone. */
export function limitTo(source: Source, access: Access): Source {
  const reachOf = (name: string) => rightsIn(access, name).read.reach
  return {
    naming: source.naming,
    names: () => source.names(),
    kindOf: (name) => source.kindOf(name),
    async table(name) {
      const table = await source.table(name)
      if (!table || reachOf(name) === 'all') return table
      return reachOf(name) === 'own' ? table.derive(ownRows(table, access, name)) : NOTHING
    },
    object(name) {
      const object = source.object(name)
      return object && mayRead(access, name, object) ? object : undefined
    },
  }
}

const NOTHING = Table.of([])

function ownRows(table: Table, access: Access, name: string): Derivation<Table> {
  const rights = rightsIn(access, name)
  const { user } = access
  return {
    name: `own ${JSON.stringify([rights.owner, user])}`,
    async build() {
      const ranks = user === undefined ? [] : await ranksWith(table, rights.owner, user)
      const rows = table.pick(ranks)
      const own = ranks.filter((_, at) => isOwn(access, rights, rows[at] ?? {}))
      return Table.of(table.pick(own), own)
    },
    update: (own, changes) =>
      own.edit(
        changes.map(({ rank, after }) =>
          after !== undefined && isOwn(access, rights, after) ? { rank, after } : { rank },
        ),
      ),
  }
}

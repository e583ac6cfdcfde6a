import type { Source } from '../data/database.ts'
import { reachableRows, rowTest } from './reachable-rows.ts'
import type { Access } from './rights.ts'

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

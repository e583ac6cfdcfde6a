import { isLongList } from '../storage/json/pretty-json.ts'
import type { Store } from '../storage/local/store.ts'
import { findRelated } from '../storage/relations/find-related.ts'
import { JoinedRows } from '../storage/relations/joined-rows.ts'
import type { Relations, Row } from '../storage/types.ts'
import type { Work } from '../work/in-slices.ts'
import type { ListHead, Reading } from './read.ts'

interface ListReading extends Reading {
  readonly data: readonly Row[]
  readonly list: ListHead
}

/** The same list with the relations of its rows. */
export function* readJoined(store: Store, reading: ListReading, relations: Relations): Work<Reading> {
  const { data: rows, list, isCurrent } = reading
  const joined = new JoinedRows(rows, yield* findRelated(store, list.collection, rows, relations))
  const rest = { list, isCurrent, hasRelations: true }
  if (!isLongList(joined)) return { data: joined.toArray(), ...rest }
  return {
    get data() {
      return joined.toArray()
    },
    joined,
    ...rest,
  }
}

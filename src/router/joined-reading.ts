import { workAtOnce, workInSlices } from '../in-slices.ts'
import { type JoinedRows, joinRows } from '../storage/joined-rows.ts'
import { isLongList } from '../storage/pretty-json.ts'
import type { Store } from '../storage/store.ts'
import type { Relations, Row } from '../storage/types.ts'
import type { ListHead, Reading } from './read.ts'

interface ListReading extends Reading {
  readonly data: readonly Row[]
  readonly list: ListHead
}

/** The same list with the relations of its rows. */
export function readJoined(
  store: Store,
  reading: ListReading,
  relations: Relations,
): Reading | Promise<Reading> {
  const joined = join(store, reading.list.collection, reading.data, relations)
  return joined instanceof Promise
    ? joined.then((late) => toReading(late, reading))
    : toReading(joined, reading)
}

/** So often relations are looked up again because something was written meanwhile; then others have to wait. */
const MOST_JOINS = 3

/** What belongs to each row, all of one moment. */
function join(
  store: Store,
  collection: string,
  rows: readonly Row[],
  relations: Relations,
  turn = 1,
): JoinedRows | Promise<JoinedRows> {
  const { version } = store
  const work = joinRows(store, collection, rows, relations)
  const joined = store.isOwned && turn <= MOST_JOINS ? workInSlices(work) : workAtOnce(work)
  if (!(joined instanceof Promise)) return joined
  return joined.then((late) => {
    const isOfOneMoment = store.isOwned && store.version === version
    return isOfOneMoment ? late : join(store, collection, rows, relations, turn + 1)
  })
}

function toReading(joined: JoinedRows, { list, isCurrent }: ListReading): Reading {
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

import { StorageError } from '../../errors.ts'
import { STRETCH, type Work } from '../../work/in-slices.ts'
import { entryKey, listOf } from '../index/lookup.ts'
import { isRow } from '../is-row.ts'
import { keyOf } from '../query/key-of.ts'
import type { Row } from '../types.ts'
import { attachFound } from './attach-found.ts'
import type { Find, Moment, Need } from './moment.ts'
import type { Column, Found, Relation } from './relation.ts'
import { ownField } from './relations.ts'

/** Relations that json-server does not have attach at most this many rows: those of relations multiply. */
const MOST_ATTACHED = 100_000

/** The lookups that relations need. */
export function needsOf(relations: readonly Relation[], id: string): readonly Need[] {
  return relations.flatMap((relation) => {
    const { list, way, deeper } = relation
    return [
      ...(list === undefined ? [] : [idsOf(relation, id)]),
      ...(way ? [wayOf(relation, id)] : []),
      ...needsOf(deeper, id),
    ]
  })
}

function idsOf({ collection }: Relation, id: string): Need {
  return { by: 'id', collection, field: id }
}

function wayOf({ collection, way }: Relation, id: string): Need {
  return way && way.by !== 'id' ? { ...way, collection } : { by: 'id', collection, field: id }
}

/** Finds what is related to rows, level by level. */
export class RelatedSearch {
  readonly #moment: Moment
  readonly #id: string
  #attached = 0

  constructor(moment: Moment, id: string) {
    this.#moment = moment
    this.#id = id
  }

  /** @param times how often each row is in the response */
  *columnsOf(
    rows: readonly Row[],
    relations: readonly Relation[],
    times?: readonly number[],
  ): Work<readonly Column[]> {
    const columns: Column[] = []
    for (const relation of relations) {
      const found = yield* this.#findAll(rows, relation, times)
      const { deeper } = relation
      columns.push({ relation, found: deeper.length > 0 ? yield* this.#deepen(found, deeper, times) : found })
    }
    return columns
  }

  *#findAll(
    rows: readonly Row[],
    relation: Relation,
    times: readonly number[] | undefined,
  ): Work<readonly Found[]> {
    const byKey = yield* this.#byKey(rows, relation)
    const byId = this.#moment.by(idsOf(relation, this.#id))
    const found = new Array<Found>(rows.length)
    for (const [at, row] of rows.entries()) {
      if (this.#moment.isTime) yield* this.#moment.pause()
      const list = listIn(row, relation)
      const key = list ? undefined : this.#keyOf(row, relation)
      const one = list ? yield* this.#findListed(list, byId) : key !== undefined && byKey(key)
      found[at] = one || (relation.isList ? [] : undefined)
      if (relation.isBounded) this.#count(rowsIn(found[at]).length * (times?.[at] ?? 1))
    }
    return found
  }

  /** Finds rows by the one key that the relation goes by. */
  *#byKey(rows: readonly Row[], relation: Relation): Work<Find> {
    const { way } = relation
    if (!way) return () => undefined
    const need = wayOf(relation, this.#id)
    if (way.by !== 'entries') return this.#moment.by(need)
    const keys = new Set<string>()
    for (const row of rows) {
      const key = listIn(row, relation) ? undefined : this.#keyOf(row, relation)
      if (key !== undefined) keys.add(key)
      if (this.#moment.isTime) yield* this.#moment.pause()
    }
    return yield* this.#moment.byEntries(need, keys)
  }

  #keyOf(row: Row, { way }: Relation): string | undefined {
    const value = isRow(row) ? ownField(row, way?.by === 'id' ? way.own : this.#id) : undefined
    return value === undefined ? undefined : keyOf(value)
  }

  /** Each row once, in the order of the list. */
  *#findListed(list: readonly unknown[], byId: Find): Work<readonly Row[]> {
    const found = new Set<Row>()
    for (let at = 0; at < list.length; at++) {
      if (at % STRETCH === STRETCH - 1) yield* this.#moment.pause()
      const key = entryKey(list[at])
      const row = key === undefined ? undefined : byId(key)
      if (row === undefined || isList(row)) continue
      found.add(row)
    }
    return [...found]
  }

  #count(attached: number): void {
    this.#attached += attached
    if (this.#attached <= MOST_ATTACHED) return
    throw new StorageError(
      'INVALID_QUERY',
      `_embed and _expand attach more than ${MOST_ATTACHED} rows; ask for fewer rows with _limit, _page or a filter, or for fewer levels.`,
    )
  }

  /** Adds relations to what was found: to each row once, however often it was found. */
  *#deepen(
    found: readonly Found[],
    relations: readonly Relation[],
    times: readonly number[] | undefined,
  ): Work<readonly Found[]> {
    const places = new Map<Row, number>()
    const counts: number[] = []
    for (const [at, some] of found.entries()) {
      for (const row of rowsIn(some)) {
        const place = places.get(row) ?? places.size
        places.set(row, place)
        counts[place] = (counts[place] ?? 0) + (times?.[at] ?? 1)
      }
      if (this.#moment.isTime) yield* this.#moment.pause()
    }
    const rows = [...places.keys()]
    const columns = yield* this.columnsOf(rows, relations, counts)
    const deep: Row[] = []
    for (const [at, row] of rows.entries()) {
      deep.push(attachFound(row, columns, at))
      if (this.#moment.isTime) yield* this.#moment.pause()
    }
    const deepOf = (row: Row) => deep[places.get(row) ?? -1] ?? row
    const all: Found[] = []
    for (const some of found) {
      all.push(isList(some) ? some.map(deepOf) : some && deepOf(some))
      if (this.#moment.isTime) yield* this.#moment.pause()
    }
    return all
  }
}

/** A row's list of ids. With `_expand`, a field with the relation's name stays as it is. */
function listIn(row: Row, { name, list, isList }: Relation): readonly unknown[] | undefined {
  if (list === undefined || (!isList && isRow(row) && Object.hasOwn(row, name))) return undefined
  return listOf(row, list)
}

function rowsIn(found: Found): readonly Row[] {
  if (found === undefined) return []
  return isList(found) ? found : [found]
}

function isList(found: Found): found is readonly Row[] {
  return Array.isArray(found)
}

import { isSchema } from '../json/schema-document.ts'
import { isSameJson } from '../json/values.ts'
import { type Maker, numberIn, type Place, TRIES } from './maker.ts'

/** Entries of all lists together that are looked at. */
const MOST_ENTRIES = 5000

/** Up to this length, lists that are all as long are tuples, such as coordinates. */
const LONGEST_TUPLE = 4

/** Lists as long as these, with entries like theirs: each once, if that is so in all of them. */
export function listMaker(lists: readonly (readonly unknown[])[], place: Place): Maker {
  const { valueMaker } = place.learning
  const entries = entriesOf(place)
  const lengths = lists.map(({ length }) => length)
  const isTuple = lengths.every((length) => length === lengths[0] && length <= LONGEST_TUPLE)
  const makers = isTuple
    ? Array.from({ length: lengths[0] ?? 0 }, (_, at) =>
        valueMaker(
          lists.map((list) => list[at]),
          entries,
        ),
      )
    : [valueMaker(firstEntries(lists), entries)]
  const isUnique = place.schema.uniqueItems === true || lists.every(hasDistinct)
  const entryMaker = (at: number) => makers[isTuple ? at : 0] ?? (() => null)
  return makeList((random) => random.pick(lengths), entryMaker, isUnique)
}

/** Lists that a schema allows, where there are none to learn from. */
export function listBySchema(place: Place): Maker {
  const { schema, learning } = place
  const least = numberIn(schema, 'minItems') ?? 0
  const most = Math.min(numberIn(schema, 'maxItems') ?? least + 2, least + 2)
  const make = learning.valueMaker([], entriesOf(place))
  const lengthMaker: Maker<number> = (random) => least + random.below(most - least + 1)
  return makeList(lengthMaker, () => make, schema.uniqueItems === true)
}

function entriesOf(place: Place): Place {
  const { items } = place.schema
  return { ...place, schema: isSchema(items) ? items : {} }
}

function makeList(lengthMaker: Maker<number>, entryMaker: (at: number) => Maker, isUnique: boolean): Maker {
  return (random) => {
    const list: unknown[] = []
    const length = lengthMaker(random)
    for (let tries = 0; list.length < length && tries < length + TRIES; tries++) {
      const entry = entryMaker(list.length)(random)
      if (!isUnique || !list.some((other) => isSameJson(other, entry))) list.push(entry)
    }
    return list
  }
}

function firstEntries(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  const entries: unknown[] = []
  for (const list of lists) entries.push(...list.slice(0, MOST_ENTRIES - entries.length))
  return entries
}

function hasDistinct(list: readonly unknown[]): boolean {
  return new Set(list.map((entry) => JSON.stringify(entry))).size === list.length
}

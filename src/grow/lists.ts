import { isSchema } from '../json/schema-document.ts'
import { deepCopy } from '../json/values.ts'
import type { Random } from '../util/random.ts'
import { type Maker, numberIn, type Place, TRIES } from './maker.ts'

/** Entries of all lists together that are looked at. Longer lists are copied as a whole. */
const MOST_ENTRIES = 5000

/** Entries of all lists together that are compared with others of their list. */
const MOST_COMPARED = 100_000

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
  const isUnique = place.schema.uniqueItems === true || areDistinct(lists)
  const entryMaker = (at: number) => makers[isTuple ? at : 0] ?? (() => null)
  return (random) => {
    const like = random.pick(lists)
    return like.length > MOST_ENTRIES ? deepCopy(like) : makeList(like.length, entryMaker, isUnique, random)
  }
}

/** Lists that a schema allows, where there are none to learn from. */
export function listBySchema(place: Place): Maker {
  const { schema, learning } = place
  const least = numberIn(schema, 'minItems') ?? 0
  const most = Math.min(numberIn(schema, 'maxItems') ?? least + 2, least + 2)
  const make = learning.valueMaker([], entriesOf(place))
  return (random) => {
    const length = least + random.below(most - least + 1)
    return makeList(length, () => make, schema.uniqueItems === true, random)
  }
}

function entriesOf(place: Place): Place {
  const { items } = place.schema
  return { ...place, schema: isSchema(items) ? items : {} }
}

function makeList(
  length: number,
  entryMaker: (at: number) => Maker,
  isUnique: boolean,
  random: Random,
): readonly unknown[] {
  const list: unknown[] = []
  const made = new Set<string>()
  for (let tries = 0; list.length < length && tries < length + TRIES; tries++) {
    const entry = entryMaker(list.length)(random)
    const text = isUnique ? JSON.stringify(entry) : ''
    if (made.has(text)) continue
    if (isUnique) made.add(text)
    list.push(entry)
  }
  return list
}

function firstEntries(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  const entries: unknown[] = []
  for (const list of lists) entries.push(...list.slice(0, MOST_ENTRIES - entries.length))
  return entries
}

function areDistinct(lists: readonly (readonly unknown[])[]): boolean {
  let compared = 0
  for (const list of lists) {
    if (list.length > MOST_ENTRIES) continue
    compared += list.length
    if (compared > MOST_COMPARED) return true
    if (new Set(list.map((entry) => JSON.stringify(entry))).size < list.length) return false
  }
  return true
}

import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { deepCopy } from '../../core/kernel/json/values.ts'
import type { Random } from '../../core/kernel/util/random.ts'
import { type Maker, numberIn, TRIES, type ValuePlace } from './maker.ts'

/** Entries of all lists together that are looked at. Longer lists are copied as a whole. */
const MOST_ENTRIES = 5000

/** Up to this length, lists that are all as long are tuples, such as coordinates. */
const LONGEST_TUPLE = 4

/** Lists as long as these, with entries like theirs: each once, if that is so in the list that is as long. */
export function listMaker(lists: readonly (readonly unknown[])[], place: ValuePlace): Maker {
  const { valueMaker } = place.learning
  const entries = entriesOf(place)
  const [first = []] = lists
  const isTuple = lists.every(({ length }) => length === first.length && length <= LONGEST_TUPLE)
  const learned = isTuple ? first.map((_, at) => lists.map((list) => list[at])) : [firstEntries(lists)]
  const makers = learned.map((values) => valueMaker(values, entries))
  const entryMaker = (at: number) => makers[isTuple ? at : 0] ?? (() => null)
  return (random) => {
    const like = random.pick(lists)
    if (like.length > MOST_ENTRIES) return deepCopy(like)
    const isUnique = place.schema.uniqueItems === true || isDistinct(like)
    return makeList(like.length, entryMaker, isUnique, random)
  }
}

/** Lists that a schema allows, where there are none to learn from. */
export function listBySchema(place: ValuePlace): Maker {
  const { schema, learning } = place
  const least = numberIn(schema, 'minItems') ?? 0
  const most = Math.min(numberIn(schema, 'maxItems') ?? least + 2, least + 2)
  const make = learning.valueMaker([], entriesOf(place))
  return (random) => {
    const length = least + random.below(most - least + 1)
    return makeList(length, () => make, schema.uniqueItems === true, random)
  }
}

function entriesOf(place: ValuePlace): ValuePlace {
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

function isDistinct(list: readonly unknown[]): boolean {
  return new Set(list.map((entry) => JSON.stringify(entry))).size === list.length
}

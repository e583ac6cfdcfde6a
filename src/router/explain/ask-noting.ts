import type { Engine, MaybePromise } from '../../storage/engine.ts'
import { isShaped } from '../../storage/relations/join-rows.ts'
import type { Ignored, Relations } from '../../storage/types.ts'
import { rightsIn, type View } from '../../storage/view.ts'
import { leavesOf } from '../../storage/where.ts'
import { when } from '../../work/when.ts'
import { readDialect } from '../query/dialects.ts'
import { parseRelations } from '../query/parse-query.ts'
import { isGiven } from '../query/parse-window.ts'
import { strings } from '../query/strings.ts'
import { unreadable } from '../query/unreadable.ts'
import { type Asked, ask, type Reading, type ReadTarget } from '../read.ts'
import { ignoredOnItems, PROBE } from './ignored-on-items.ts'
import { isKnownWord } from './known-words.ts'
import { partsOf } from './parts-of.ts'
import { showExplanation } from './show-explanation.ts'

type Query = Record<string, unknown>

/** Asks as `ask` does, finds out which parameters had no effect, and knows `_strict` and `_explain`. */
export function askNoting(engine: Engine, target: ReadTarget, query: Query, view?: View): Asked {
  const names = Object.keys(query)
  if (names.length === 0 || !('name' in target) || target.kind === 'object') return ask(engine, target, query)
  const words = ['_explain', '_strict'].filter((word) => names.includes(word))
  if (words.length === 0) return noting(engine, target, query)
  return { find: (isWanted) => findWith(engine, target, { query, words, view }, isWanted) }
}

type RowsTarget = Extract<ReadTarget, { readonly name: string }>

function noting(engine: Engine, target: RowsTarget, query: Query): Asked {
  const asked = ask(engine, target, query)
  if (asked.list)
    return { ...asked, find: (isWanted) => when(asked.find(isWanted), (found) => noteList(engine, found)) }
  if (target.kind === 'children') return asked
  const names = unknownNames(query)
  const relations = parseRelations(query)
  if (names.length === 0 && !isShaped(relations)) return asked
  const note = (found: Reading | undefined) => noteItem(engine, target, found, names, relations)
  return { ...asked, find: (isWanted) => when(asked.find(isWanted), note) }
}

/** A reading is nobody else's yet: it is filled in, as a copy would make the rows of a long list. */
function noteList(engine: Engine, reading: Reading | undefined): MaybePromise<Reading | undefined> {
  const { collection, ignored } = reading?.list ?? {}
  if (!reading || collection === undefined || ignored === undefined) return reading
  return when(partsOf(engine, collection, ignored), (parts) =>
    parts.length > 0 ? Object.assign(reading, { ignored: { resource: collection, parts } }) : reading,
  )
}

/** Filters have no effect on an item: only names of fields and relations that no row has are worth a word. */
function noteItem(
  engine: Engine,
  { name: collection }: RowsTarget,
  reading: Reading | undefined,
  names: readonly string[],
  relations: Relations,
): MaybePromise<Reading | undefined> {
  if (!reading) return undefined
  return when(ignoredOnItems(engine, collection, names, relations), ({ ignored, isCurrent }) => {
    if (ignored.length === 0) return reading
    return when(partsOf(engine, collection, ignored), (parts) =>
      Object.assign(reading, {
        ignored: { resource: collection, parts },
        isCurrent: both(reading.isCurrent, isCurrent),
      }),
    )
  })
}

/** Fields of these names win: then they are filters like any other. */
function findWith(
  engine: Engine,
  target: RowsTarget,
  { query, words, view }: { query: Query; words: readonly string[]; view: View | undefined },
  isWanted: (() => boolean) | undefined,
): MaybePromise<Reading | undefined> {
  const probe = words.map((name) => ({ name, values: strings(query[name]), means: {} }))
  const question = { kind: 'explain', collection: target.name, query: { ...PROBE, words: probe } } as const
  return when(engine.read(question), ({ found, isCurrent }) => {
    const fields = (found?.query.where ?? []).flatMap(leavesOf).map(({ path }) => path)
    const meant = words.filter((word) => !fields.includes(word))
    const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !meant.includes(name)))
    if (meant.includes('_explain') && query._explain === 'true') {
      const { list } = ask(engine, target, rest)
      if (list) return explain(engine, list, view)
    }
    const isStrict = meant.includes('_strict') ? TOGGLES.get(query._strict) : undefined
    const odd = meant.filter((word) => isGiven(query[word]) && !TOGGLES.has(query[word]))
    const note = (reading: Reading | undefined) =>
      when(
        noteMore(
          engine,
          target,
          reading,
          odd.map((word) => unreadable(word)),
        ),
        (noted) =>
          noted &&
          Object.assign(noted, {
            isCurrent: both(noted.isCurrent, isCurrent),
            ...(isStrict !== undefined && { isStrict }),
          }),
      )
    return when(noting(engine, target, rest).find(isWanted), note)
  })
}

function noteMore(
  engine: Engine,
  { name: resource }: RowsTarget,
  reading: Reading | undefined,
  more: readonly Ignored[],
): MaybePromise<Reading | undefined> {
  if (!reading || more.length === 0) return reading
  return when(partsOf(engine, resource, more), (parts) =>
    Object.assign(reading, { ignored: { resource, parts: [...(reading.ignored?.parts ?? []), ...parts] } }),
  )
}

const TOGGLES: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function explain(
  engine: Engine,
  { collection, query }: NonNullable<Asked['list']>,
  view: View | undefined,
): MaybePromise<Reading | undefined> {
  const isLimited = view !== undefined && rightsIn(view, collection).read.reach !== 'all'
  const start = performance.now()
  return when(engine.read({ kind: 'explain', collection, query }), ({ found }) => {
    const ms = performance.now() - start
    return (
      found &&
      when(partsOf(engine, collection, found.ignored), (parts) => ({
        data: showExplanation(collection, found, parts, { ms, isLimited }),
        isIndifferent: true,
        isCurrent: () => false,
      }))
    )
  })
}

function unknownNames(query: Query): readonly string[] {
  const dialect = readDialect(query)?.names
  return Object.keys(query).filter((name) => !isKnownWord(name) && !dialect?.has(name))
}

function both(one: () => boolean, other: (() => boolean) | undefined): () => boolean {
  return () => one() && other?.() === true
}

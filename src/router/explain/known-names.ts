import type { IgnoredPart } from '../../exchange.ts'
import { Lru } from '../../lru.ts'
import type { Engine, MaybePromise } from '../../storage/engine.ts'
import type { Ignored } from '../../storage/types.ts'
import { when } from '../../work/when.ts'

/** What was found out about names in queries of one collection. Holds as long as its rows stay as they are. */
export interface KnownNames {
  /** Names of fields that rows have. */
  readonly fields: readonly string[]
  /** What had no effect, as people are told. */
  readonly parts: Lru<string, IgnoredPart>
  /** What had no effect on an item, by all names of its query. */
  readonly onItems: Lru<string, readonly Ignored[]>
  readonly isCurrent: (() => boolean) | undefined
}

const MOST_CHARACTERS = 50_000

/** Bounded by the length of names: scripts may make up many, and long ones. */
function boundedMap<Value>(): Lru<string, Value> {
  return new Lru({ limit: MOST_CHARACTERS, sizeOf: (_, key) => key.length })
}

const known = new WeakMap<Engine, Map<string, KnownNames>>()

/**
 * What is known about the names of a collection. Suggestions take dozens of comparisons each, so they are worked out
 * once, not on each request with the same parameter.
 */
export function knownNames(engine: Engine, collection: string): MaybePromise<KnownNames> {
  const before = known.get(engine)?.get(collection)
  // A cache buster adds the same name to every URL.
  if (before?.isCurrent?.()) return before
  return when(engine.read({ kind: 'fields', collection }), ({ found: fields = [], isCurrent }) => {
    const names: KnownNames = { fields, parts: boundedMap(), onItems: boundedMap(), isCurrent }
    if (isCurrent) keep(engine, collection, names)
    return names
  })
}

function keep(engine: Engine, collection: string, names: KnownNames): void {
  const collections = known.get(engine) ?? new Map<string, KnownNames>()
  known.set(engine, collections.set(collection, names))
}

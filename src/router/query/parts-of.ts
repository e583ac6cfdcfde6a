import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { maskForm } from '../../layers/masking/mask-text.ts'
import { isKeyword } from '../../query/parameters.ts'
import type { Catalog, EngineAccess } from '../../storage/engine/engine.ts'
import type { Ignored } from '../../storage/types.ts'
import { type KnownNames, knownNames } from './known-names.ts'
import { parseParameter } from './operators.ts'
import { suggest } from './suggest.ts'

/** A URL may have thousands of parameters: so many are told of, and so many of them looked into. */
const MOST = { parts: 100, suggestions: 10 } as const

/** What of a query had no effect, as people are told: by name, without values. */
export async function partsOf(
  engine: EngineAccess,
  collection: string,
  ignored: readonly Ignored[],
): Promise<readonly IgnoredPart[]> {
  const told = distinct(
    ignored.filter(
      (one) =>
        !(one.reason === 'unknown field' && isKeyword(one.name)) && !isDeclared(engine, collection, one),
    ),
  )
  if (told.length === 0) return []
  const names = await knownNames(engine, collection)
  return told.map((one, at) =>
    at < MOST.suggestions ? suggested(one, collection, names, engine) : named(one),
  )
}

/** A field that a schema or another rule names is known, though no row has it yet. */
function isDeclared(engine: EngineAccess, collection: string, { name, reason, detail }: Ignored): boolean {
  if (reason !== 'unknown field' && reason !== 'matches nothing') return false
  const { path, orElse } = parseParameter(detail ?? name, [])
  return [path, orElse?.path ?? path].some((one) => {
    const [first = one] = one.split('.', 1)
    return engine.declares(collection, first) || engine.declares(collection, one)
  })
}

function suggested(
  ignored: Ignored,
  collection: string,
  { fields, parts }: KnownNames,
  catalog: Catalog,
): IgnoredPart {
  const key = [ignored.reason, ignored.detail, ignored.name].join('\n')
  const known = parts.get(key)
  if (known) return known
  const suggestion = suggest(ignored, { collection, fields }, catalog)
  const part = { ...named(ignored), ...(suggestion !== undefined && { suggestion }) }
  parts.set(key, part)
  return part
}

function named({ name, reason }: Ignored): IgnoredPart {
  // `token%3Dabc` is a name with a secret in it.
  return { name: maskForm(name), reason }
}

function distinct(ignored: readonly Ignored[]): readonly Ignored[] {
  const names = new Map<string, Ignored>()
  for (const one of ignored) {
    if (names.size >= MOST.parts) break
    if (!names.has(one.name)) names.set(one.name, one)
  }
  return [...names.values()]
}

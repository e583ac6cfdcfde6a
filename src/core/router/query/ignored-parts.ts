import type { EngineAccess } from '../../engine/engine.ts'
import type { Ignored } from '../../engine/types.ts'
import type { IgnoredPart } from '../../kernel/catalogue/exchange.ts'
import { isKeyword } from '../../kernel/catalogue/parameters.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { Lru } from '../../kernel/util/lru.ts'
import { maskForm } from '../../layers/parts/mask-secrets.ts'
import { parseParameter } from './parse-parameter.ts'
import { type Subject, suggest } from './suggest.ts'

/** Diagnostics about names in queries of one collection. Valid while its rows are unchanged. */
interface NameDiagnostics {
  readonly subject: Subject
  readonly parts: Lru<string, IgnoredPart>
  isCurrent(): boolean
}

/** Limited by the length of keys: scripts may make up many, and long ones. */
const MOST_CHARACTERS = 50_000

const diagnostics = new WeakMap<EngineAccess, Map<string, NameDiagnostics>>()

async function diagnosticsOf(engine: EngineAccess, collection: string): Promise<NameDiagnostics> {
  const collections = getOrMake(diagnostics, engine, () => new Map())
  const before = collections.get(collection)
  if (before?.isCurrent()) return before
  const { found: fields = [], isCurrent } = await engine.read(
    { kind: 'fields', collection },
    { isCaughtUp: true },
  )
  const parts = new Lru<string, IgnoredPart>({ limit: MOST_CHARACTERS, sizeOf: (_, key) => key.length })
  const names: NameDiagnostics = { subject: { collection, fields, catalog: engine }, parts, isCurrent }
  collections.set(collection, names)
  return names
}

/** Of thousands of parameters, this many are reported, and this many get a suggestion. */
const MOST = 100
const MOST_SUGGESTIONS = 10

export async function partsOf(
  engine: EngineAccess,
  collection: string,
  ignored: readonly Ignored[],
): Promise<readonly IgnoredPart[]> {
  const reported = distinct(
    ignored.filter(
      (one) =>
        !(one.reason === 'unknown field' && isKeyword(one.name)) && !isDeclared(engine, collection, one),
    ),
  )
  if (reported.length === 0) return []
  const names = await diagnosticsOf(engine, collection)
  return reported.map((one, at) => (at < MOST_SUGGESTIONS ? suggested(one, names) : named(one)))
}

/** A field in the rules is not unknown, even if no row has it. */
function isDeclared(engine: EngineAccess, collection: string, { name, reason, detail }: Ignored): boolean {
  if (reason !== 'unknown field' && reason !== 'matches nothing') return false
  const { path, orElse } = parseParameter(detail ?? name, [])
  return [path, orElse?.path ?? path].some((one) => {
    const [first = one] = one.split('.', 1)
    return engine.declares(collection, first) || engine.declares(collection, one)
  })
}

function suggested(ignored: Ignored, { subject, parts }: NameDiagnostics): IgnoredPart {
  const key = [ignored.reason, ignored.detail, ignored.name].join('\n')
  return getOrMake(parts, key, () => {
    const suggestion = suggest(ignored, subject)
    return { ...named(ignored), ...(suggestion !== undefined && { suggestion }) }
  })
}

function named({ name, reason }: Ignored): IgnoredPart {
  // `token%3Dabc` is a name with a secret in it.
  return { name: maskForm(name), reason }
}

function distinct(ignored: readonly Ignored[]): readonly Ignored[] {
  const names = new Map<string, Ignored>()
  for (const one of ignored) {
    if (names.size >= MOST) break
    if (!names.has(one.name)) names.set(one.name, one)
  }
  return [...names.values()]
}

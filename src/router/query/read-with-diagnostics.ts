import { isKeyword } from '../../query/parameters.ts'
import { type Access, rightsIn } from '../../storage/access/rights.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import type { Ignored, ListQuery, Relations } from '../../storage/types.ts'
import { leavesOf } from '../../storage/where.ts'
import { questionOf, type Reading, type ReadTarget, readingOfList } from '../read.ts'
import { readDialect } from './dialects.ts'
import { ignoredOnItems, PROBE, partsOf } from './ignored-parts.ts'
import { isGiven, strings, unreadable } from './parameter-values.ts'
import { showExplanation } from './show-explanation.ts'

export interface ReadRequest {
  readonly engine: EngineAccess
  readonly target: ReadTarget
  readonly query: Record<string, unknown>
  readonly access?: Access | undefined
  /** Whether `_explain` and `_strict`, where they are still there, are fields. */
  readonly isWithoutWords?: boolean
}

/** Reads what a request asks for, and finds parameters without effect. Undefined is a 404. */
export async function readWithDiagnostics(
  request: ReadRequest,
  isWanted?: () => boolean,
): Promise<Reading | undefined> {
  const { engine, target, query } = request
  const hasWords = Object.hasOwn(query, '_explain') || Object.hasOwn(query, '_strict')
  if (hasWords && 'name' in target && target.kind !== 'object' && !request.isWithoutWords) {
    return readWithWords(request, target.name, isWanted)
  }
  const question = questionOf(engine, target, query)
  if (!question) return undefined
  const options = { isWanted, isCaughtUp: true }
  if (question.kind === 'list') {
    const { found, isCurrent } = await engine.read(question, options)
    const reading = found && readingOfList(question, found, isCurrent)
    return found?.ignored && reading
      ? withIgnored(engine, question.collection, reading, found.ignored)
      : reading
  }
  const { found, isCurrent } = await engine.read(question, options)
  if (found === undefined) return undefined
  if (question.kind !== 'item') return { data: found, isCurrent, isIndifferent: true }
  const { collection, relations } = question
  const hasRelations = relations !== undefined && relations.embed.length + relations.expand.length > 0
  const reading = { data: found, isCurrent, hasRelations }
  const names = Object.keys(query).filter((name) => !isKeyword(name))
  if (names.length === 0 && !relations) return reading
  return withUnknownNames(engine, collection, reading, namesBesideDialect(query, names), relations)
}

/** Filters have no effect on an item: only names of fields and relations that no row has are worth a word. */
async function withUnknownNames(
  engine: EngineAccess,
  collection: string,
  reading: Reading,
  names: readonly string[],
  relations: Relations | undefined,
): Promise<Reading> {
  if (names.length === 0 && !relations) return reading
  const found = await ignoredOnItems(engine, collection, names, relations)
  if (found.ignored.length === 0) return reading
  const noted = await withIgnored(engine, collection, reading, found.ignored)
  return currentWith(noted, found.isCurrent)
}

/** Fields of these names win: then they are filters like any other. */
async function readWithWords(
  request: ReadRequest,
  collection: string,
  isWanted: (() => boolean) | undefined,
): Promise<Reading | undefined> {
  const { engine, target, query } = request
  const words = ['_explain', '_strict'].filter((word) => Object.hasOwn(query, word))
  const probe = words.map((name) => ({ name, values: strings(query[name]), means: {} }))
  const probed = await engine.read({ kind: 'explain', collection, query: { ...PROBE, words: probe } })
  const fields = (probed.found?.query.where ?? []).flatMap(leavesOf).map(({ path }) => path)
  const meant = words.filter((word) => !fields.includes(word))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !meant.includes(name)))
  if (meant.includes('_explain') && query._explain === 'true') {
    const question = questionOf(engine, target, rest)
    if (question?.kind === 'list') return explain(request, question.collection, question.query)
  }
  const reading = await readWithDiagnostics({ ...request, query: rest, isWithoutWords: true }, isWanted)
  if (!reading) return undefined
  const odd = meant.filter((word) => isGiven(query[word]) && !TOGGLES.has(query[word]))
  const noted = await withIgnored(
    engine,
    collection,
    reading,
    odd.map((word) => unreadable(word)),
  )
  const isStrict = meant.includes('_strict') ? TOGGLES.get(query._strict) : undefined
  return Object.assign(currentWith(noted, probed.isCurrent), isStrict !== undefined && { isStrict })
}

const TOGGLES: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

async function explain(
  { engine, access }: ReadRequest,
  collection: string,
  query: ListQuery,
): Promise<Reading | undefined> {
  const isLimited = access !== undefined && rightsIn(access, collection).read.reach !== 'all'
  const start = performance.now()
  const { found } = await engine.read({ kind: 'explain', collection, query })
  const ms = performance.now() - start
  if (!found) return undefined
  const parts = await partsOf(engine, collection, found.ignored)
  return {
    data: showExplanation(collection, found, parts, { ms, isLimited }),
    isIndifferent: true,
    isCurrent: () => false,
  }
}

/** A reading is nobody else's yet: it is filled in, as a copy would make the rows of a long list. */
async function withIgnored(
  engine: EngineAccess,
  resource: string,
  reading: Reading,
  ignored: readonly Ignored[],
): Promise<Reading> {
  const parts = ignored.length > 0 ? await partsOf(engine, resource, ignored) : []
  const idle = ignored.filter(({ reason }) => reason === 'unknown field').map(({ name }) => name)
  if (idle.length > 0) Object.assign(reading, { idle: [...(reading.idle ?? []), ...idle] })
  if (parts.length === 0) return reading
  return Object.assign(reading, {
    ignored: { resource, parts: [...(reading.ignored?.parts ?? []), ...parts] },
  })
}

function currentWith(reading: Reading, isOtherCurrent: () => boolean): Reading {
  const { isCurrent } = reading
  return Object.assign(reading, { isCurrent: () => isCurrent() && isOtherCurrent() })
}

function namesBesideDialect(query: ReadRequest['query'], names: readonly string[]): readonly string[] {
  const dialect = readDialect(query)?.names
  return dialect ? names.filter((name) => !dialect.has(name)) : names
}

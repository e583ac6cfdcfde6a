import type { EngineAccess } from '../../engine/engine.ts'
import type { Explanation, Question } from '../../engine/question.ts'
import { type Access, rightsIn } from '../../engine/rules/rights.ts'
import type { Ignored, Where } from '../../engine/types.ts'
import { flatten } from '../../engine/where.ts'
import type { IgnoredPart } from '../../kernel/catalogue/exchange.ts'
import { linksTo } from '../links-above.ts'
import { type ListHead, questionOf, type ReadTarget, type RenderableResult } from '../read.ts'
import { isCollectionName, servedName } from '../target.ts'
import { partsOf } from './ignored-parts.ts'
import { isGiven, unreadable } from './parameter-values.ts'
import type { Query } from './query-string.ts'
import { FLAG_VALUES, FLAGS } from './words.ts'

export interface ReadRequest {
  readonly engine: EngineAccess
  readonly target: ReadTarget
  readonly query: Query
  readonly access?: Access | undefined
}

/** Reads the target of a request, and reports parameters without effect. Undefined is a 404. */
export async function readWithDiagnostics(request: ReadRequest): Promise<RenderableResult | undefined> {
  const { engine, target, query } = request
  const question = questionOf(engine, target, query)
  if (!question) return undefined
  const parent = 'parent' in target ? target.parent : undefined
  const parents = () => parent && isCollectionName(engine, parent.name) && servedName(engine, parent.name)
  const before = parent && parents()
  const links = 'above' in target && target.above ? await linksTo(engine, target) : undefined
  if (links?.hold === false) return undefined
  const reading = await (question.kind === 'list' ? readList(request, question) : readOne(request, question))
  if (!reading || !parent) return reading
  const { isCurrent } = reading
  return Object.assign(reading, {
    isCurrent: () => isCurrent() && links?.isCurrent() !== false && parents() === before,
  })
}

const CAUGHT_UP = { isCaughtUp: true } as const

async function readList(
  request: ReadRequest,
  question: Question<'list'>,
): Promise<RenderableResult | undefined> {
  const { collection, query } = question
  const explanation = request.query._explain === 'true' ? await explain(request, question) : undefined
  if (explanation) return explanation
  const { found, ignored, isCurrent } = await request.engine.read(question, CAUGHT_UP)
  if (!found) return undefined
  const { rows, total, window, page, range, envelope, cursor } = found
  const list: ListHead = { collection, window, total, page, range, envelope, cursor }
  const joined = 'toArray' in rows ? rows : undefined
  const hasRelations = query.embed.length + query.expand.length > 0
  const rest = { list, isCurrent, hasRelations, isShort: hasRelations && !joined }
  let reading: RenderableResult = { data: rows, ...rest }
  if (envelope) reading = { data: { ...envelope, data: joined?.toArray() ?? rows }, ...rest }
  else if (joined) {
    reading = {
      get data() {
        return joined.toArray()
      },
      joined,
      ...rest,
    }
  }
  return ignored.length > 0 ? withIgnored(request, collection, reading, ignored) : reading
}

async function readOne(
  request: ReadRequest,
  question: Question<'database' | 'object' | 'item'>,
): Promise<RenderableResult | undefined> {
  const { found, ignored, isCurrent } = await request.engine.read(question, CAUGHT_UP)
  if (found === undefined) return undefined
  if (question.kind !== 'item') return { data: found, isCurrent, isIndifferent: true }
  const { collection, relations } = question
  const hasRelations = relations !== undefined && relations.embed.length + relations.expand.length > 0
  const reading = { data: found, isCurrent, hasRelations }
  return ignored.length > 0 ? withIgnored(request, collection, reading, ignored) : reading
}

function isFlag({ name, reason }: Ignored): boolean {
  return reason === 'unknown field' && FLAGS.has(name)
}

async function explain(
  { engine, access }: ReadRequest,
  { collection, query }: Question<'list'>,
): Promise<RenderableResult | undefined> {
  const isLimited = access !== undefined && rightsIn(access, collection).read.reach !== 'all'
  const start = performance.now()
  const { found } = await engine.read({ kind: 'explain', collection, query })
  const ms = performance.now() - start
  if (!found?.ignored.some((one) => one.name === '_explain' && isFlag(one))) return undefined
  const parts = await partsOf(engine, collection, found.ignored)
  return {
    data: showExplanation(collection, found, parts, { ms, isLimited }),
    isIndifferent: true,
    isExplanation: true,
    isCurrent: () => false,
  }
}

/** Extends the reading itself, which is not shared yet: a copy would build all rows of a long list. */
async function withIgnored(
  { engine, query }: ReadRequest,
  resource: string,
  reading: RenderableResult,
  ignored: readonly Ignored[],
): Promise<RenderableResult> {
  const flags = ignored.filter(isFlag).map(({ name }) => name)
  const unread = flags.filter((name) => isGiven(query[name]) && !FLAG_VALUES.has(query[name]))
  const rest = [...ignored.filter((one) => !isFlag(one)), ...unread.map((name) => unreadable(name))]
  const parts = await partsOf(engine, resource, rest)
  const isStrict = flags.includes('_strict') ? FLAG_VALUES.get(query._strict) : undefined
  return Object.assign(
    reading,
    parts.length > 0 && { ignored: { resource, parts } },
    isStrict !== undefined && { isStrict },
  )
}

/** A condition on parents has become one on foreign keys, which may be many. */
const MOST_VALUES = 100

/** The body of `_explain`. If `isLimited`, without the number of rows that the client may not read. */
function showExplanation(
  resource: string,
  { query, plan }: Explanation,
  ignored: readonly IgnoredPart[],
  { ms, isLimited }: { readonly ms: number; readonly isLimited: boolean },
): unknown {
  const { where, search = null, sort, window, embed, expand, fields, omit } = query
  return {
    resource,
    filters: flatten(where).map(showWhere),
    search,
    sort: sort.map(({ path, order }) => ({ field: path, order })),
    window,
    relations: { embed, expand },
    ...(fields && { fields }),
    ...(omit && { omit }),
    ignored,
    plan: {
      uses: plan.uses.map(({ kind, path }) => ({ index: kind, field: path })),
      examined: isLimited ? plan.matched : plan.examined,
      matched: plan.matched,
    },
    ms: Math.round(ms * 100) / 100,
  }
}

function showWhere(where: Where): unknown {
  if ('and' in where) {
    const [first, ...more] = flatten(where.and)
    return first && more.length === 0 ? showWhere(first) : { and: flatten(where.and).map(showWhere) }
  }
  if ('or' in where) return { or: where.or.map(showWhere) }
  if ('not' in where) return { not: showWhere(where.not) }
  const { path, op, values } = where
  return { field: path, operator: op, values: values.slice(0, MOST_VALUES) }
}

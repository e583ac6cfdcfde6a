import { StorageError } from '../../errors.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Effect, ObjectEffect, RowsEffect } from '../commit.ts'
import { carryHidden } from '../hidden/hidden-fields.ts'
import type { Row } from '../types.ts'
import type { Draft } from './draft.ts'

/** Replays a recorded effect on a resource. Refused if the data does not match what the effect expects. */
export function* applyEffect(draft: Draft, effect: Effect): Work<void> {
  if (effect.kind === 'object') applyToObject(draft, effect)
  else yield* applyToRows(draft, effect)
}

function applyToObject(draft: Draft, { name, before, after }: ObjectEffect): void {
  if (!isSameJson(draft.object(name), before)) throw conflict(name)
  draft.setObject(name, after)
}

function* applyToRows(draft: Draft, { name, removed, added, replaced }: RowsEffect): Work<void> {
  if (draft.kindOf(name) !== 'collection') throw conflict(name)
  const { id } = draft.naming
  const seek = new Seeker(draft, name)
  const found: (readonly [old: Row, next: Row])[] = []
  for (const { before, after } of replaced) {
    if (found.length % STRETCH === STRETCH - 1) yield
    if (!isSameJson(before[id], after[id])) throw conflict(name)
    const old = seek.find(before)
    // Effects that were kept elsewhere, as JSON, have lost what rows hide.
    found.push([old, carryHidden({ ...after }, old)])
  }
  const gone: Row[] = []
  for (const { row, place } of removed) {
    if (gone.length % STRETCH === STRETCH - 1) yield
    gone.push(seek.find(row, place))
  }
  for (const [at, [old, next]] of found.entries()) {
    if (at % STRETCH === STRETCH - 1) yield
    draft.replace(name, old, next)
  }
  for (let start = 0; start < gone.length; start += STRETCH) {
    draft.remove(name, gone.slice(start, start + STRETCH))
    yield
  }
  for (const { row, isTwin } of added) {
    if (!isTwin && draft.find(name, row[id])) throw conflict(name)
  }
  // Copies: rows removed from the data and rows inserted must not share objects.
  const places = added.map(({ row, place }) => [{ ...row }, place] as const)
  if (places.length > 0) draft.restore(name, new Map(places.sort(([, a], [, b]) => a - b)))
}

/** Finds rows by id or, where ids are ambiguous, by position. Never returns a row twice. */
class Seeker {
  readonly #draft: Draft
  readonly #name: string
  readonly #seen = new Set<Row>()

  constructor(draft: Draft, name: string) {
    this.#draft = draft
    this.#name = name
  }

  find(row: Row, place?: number): Row {
    const id = row[this.#draft.naming.id]
    const byId = this.#draft.find(this.#name, id)
    // If none has its id, it is nowhere: an engine that fetches rows need not look at all of them.
    const isAmbiguous = byId !== undefined || (typeof id !== 'string' && typeof id !== 'number')
    const found = this.#isIt(byId, row)
      ? byId
      : place === undefined || !isAmbiguous
        ? undefined
        : this.#draft.rows(this.#name)?.[place]
    if (!this.#isIt(found, row)) throw conflict(this.#name)
    this.#seen.add(found)
    return found
  }

  #isIt(found: Row | undefined, row: Row): found is Row {
    return found !== undefined && !this.#seen.has(found) && isSameJson(found, row)
  }
}

function conflict(name: string): StorageError {
  return new StorageError('CONFLICT', `${name} was changed otherwise since, and nothing was changed now.`)
}

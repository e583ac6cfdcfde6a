import { MAX_BYTES } from '../../json/bounds.ts'
import { sizeUpTo } from '../../json/json-size.ts'
import { measure } from '../../json/patch/measure.ts'
import { STRETCH, type Work, workInSlices } from '../../work/in-slices.ts'
import type { Effect } from '../commit.ts'
import type { MaybePromise } from '../engine.ts'
import type { Row } from '../types.ts'

/** What a row takes in a list beside its fields. */
const ROW_ITSELF = 50

/** Fast path: what few small rows take. */
const SMALL = 1024
const FEW = 4

/** How many bytes the rows before and after a change take as JSON, counted no further than the limit. */
export function bytesOfEffects(effects: readonly Effect[], limit: number): MaybePromise<number> {
  return fewBytes(effects) ?? workInSlices(count(effects, limit))
}

/** Undefined if there is more to count. */
function fewBytes(effects: readonly Effect[]): number | undefined {
  let bytes = 0
  let count = 0
  for (const row of rowsIn(effects)) {
    const size = sizeUpTo(SMALL, row)
    if (size >= SMALL || ++count > FEW) return undefined
    bytes += ROW_ITSELF + size
  }
  return bytes
}

function* count(effects: readonly Effect[], limit: number): Work<number> {
  let bytes = 0
  let rows = 0
  for (const row of rowsIn(effects)) {
    bytes += ROW_ITSELF + (yield* bytesOfRow(row, limit))
    if (bytes > limit) return bytes
    if (++rows % STRETCH === 0) yield
  }
  return bytes
}

/** Rows of a file may be larger than those of a request, whose size `measure` stops at. */
function* bytesOfRow(row: Row, limit: number): Work<number> {
  const { bytes } = yield* measure(row)
  return bytes > MAX_BYTES ? Math.max(bytes, sizeUpTo(limit + 1, row)) : bytes
}

function* rowsIn(effects: readonly Effect[]): Generator<Row, void> {
  for (const effect of effects) {
    if (effect.kind === 'object') {
      yield effect.before
      yield effect.after
      continue
    }
    for (const { row } of effect.removed) yield row
    for (const { row } of effect.added) yield row
    for (const { before, after } of effect.replaced) {
      yield before
      yield after
    }
  }
}

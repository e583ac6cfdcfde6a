import { StorageError } from '../../errors.ts'
import { MAX_BYTES } from '../../json/bounds.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { sizeUpTo } from '../../json/json-size.ts'
import { measure } from '../../json/patch/measure.ts'
import { Pace } from '../../work/pace.ts'
import type { Effect } from '../data/commit.ts'
import type { Database, Part } from '../data/database.ts'
import { type Difference, diff } from '../data/diff.ts'
import { Table } from '../data/table.ts'
import { isRow } from '../is-row.ts'
import type { Row } from '../types.ts'

/** What differs between two states of the data, resource by resource. */
export async function effectsBetween(before: Database, after: Database): Promise<readonly Effect[]> {
  const effects: Effect[] = []
  for (const [name, part] of after.parts) {
    const old = before.parts.get(name)
    if (old !== part) effects.push(...(await effectsOn(name, old, part)))
  }
  return effects
}

async function effectsOn(name: string, before: Part, after: Part): Promise<readonly Effect[]> {
  if (before instanceof Table && after instanceof Table) {
    const pace = new Pace()
    const rows: Difference<Row>[] = []
    for (const difference of diff(before.rows, after.rows)) {
      rows.push(difference)
      if (pace.isDue) await pace.turn()
    }
    return rows.length > 0 ? [{ kind: 'rows', name, rows }] : []
  }
  if (before instanceof Table || after instanceof Table || !isRow(before) || !isRow(after)) return []
  return [{ kind: 'object', name, before, after }]
}

/** What takes the effects back. */
export function invert(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => {
    if (effect.kind === 'object') return { ...effect, before: effect.after, after: effect.before }
    return { ...effect, rows: effect.rows.map(reverse) }
  })
}

function reverse({ rank, before, after }: Difference<Row>): Difference<Row> {
  return {
    rank,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  }
}

/** The data with the effects on it. Refused if it is not what they say it was. */
export async function applyEffects(database: Database, effects: readonly Effect[]): Promise<Database> {
  const pace = new Pace()
  let next = database
  for (const effect of effects) {
    const { name } = effect
    if (effect.kind === 'object') {
      if (!isSameJson(next.object(name), effect.before)) throw conflict(name)
      next = next.with(name, effect.after)
      continue
    }
    // The first row of a collection makes it.
    const table = next.parts.has(name) ? next.table(name) : Table.of([])
    for (const { rank, before } of effect.rows) {
      const found = table?.row(rank)
      if (!table || (found !== before && !isSameJson(found, before))) throw conflict(name)
      if (pace.isDue) await pace.turn()
    }
    next = next.with(name, table?.edit(effect.rows))
  }
  return next
}

function conflict(name: string): StorageError {
  return new StorageError('CONFLICT', `${name} was changed otherwise since, and nothing was changed now.`)
}

/** What a row takes in a list beside its fields. */
const ROW_ITSELF = 50

/** How many bytes the rows before and after take as JSON, counted no further than the limit. */
export async function bytesOf(effects: readonly Effect[], limit: number): Promise<number> {
  const pace = new Pace()
  let bytes = 0
  for (const effect of effects) {
    for (const { before, after } of effect.kind === 'object' ? [effect] : effect.rows) {
      for (const row of [before, after]) {
        if (row !== undefined) bytes += ROW_ITSELF + bytesOfRow(row, limit)
      }
      if (bytes > limit) return bytes
      if (pace.isDue) await pace.turn()
    }
  }
  return bytes
}

/** Rows of a file may be larger than those of a request, whose size `measure` stops at. */
function bytesOfRow(row: Row, limit: number): number {
  const { bytes } = measure(row)
  return bytes > MAX_BYTES ? Math.max(bytes, sizeUpTo(limit + 1, row)) : bytes
}

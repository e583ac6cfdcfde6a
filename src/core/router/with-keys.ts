import type { EngineAccess } from '../engine/engine.ts'
import { foreignKey, onlyReference } from '../engine/relations/relations.ts'
import type { ReadTarget } from './read.ts'
import type { ParentItem } from './target.ts'

/** A target, with the keys of its path that only the settings tell: each step goes by `userId`, else by the only reference. */
export async function withKeys<T extends ReadTarget>(engine: EngineAccess, target: T): Promise<T> {
  if (target.kind === 'database' || !target.parent || !engine.naming.references) return target
  const { above = [], parent } = target
  const found: ParentItem[] = []
  let isUsual = true
  const rows = [...above, parent]
  for (const [at, row] of rows.entries()) {
    const key = await keyOf(engine, row.name, rows[at + 1]?.name ?? target.name)
    if (key !== undefined) isUsual = false
    found.push({ ...row, ...(key !== undefined && { key }) })
  }
  if (isUsual) return target
  const last = found.pop()
  // Rows that come may have the usual key, so the URL alone does not tell the response.
  return { ...target, parent: last, ...(above.length > 0 && { above: found }), isExact: false }
}

async function keyOf(engine: EngineAccess, parent: string, child: string): Promise<string | undefined> {
  const only = onlyReference(engine.naming, child, parent)
  const usual = foreignKey(parent, engine.naming)
  if (!only || only.isList || only.field === usual || engine.kindOf(child) !== 'collection') return undefined
  const { found = [] } = await engine.read({ kind: 'fields', collection: child })
  return found.includes(usual) ? undefined : only.field
}

import type { EngineAccess } from '../engine/engine.ts'
import type { ReadTarget } from './read.ts'
import { type ParentItem, parentOf } from './target.ts'

interface Links {
  /** Whether each row in a path belongs to the one before it, and the client can read it. */
  readonly hold: boolean
  readonly isCurrent: () => boolean
}

/** The links above the last two collections of a path; of a shorter one, there are none. */
export async function linksTo(engine: EngineAccess, target: ReadTarget): Promise<Links> {
  if (target.kind === 'database' || !target.above || !target.parent) return NONE
  const reads: (() => boolean)[] = []
  let before: ParentItem | undefined
  for (const row of [...target.above, target.parent]) {
    const within = before && parentOf(engine, before, row.name)
    if (before && !within) return { ...NONE, hold: false }
    const question = { kind: 'item', collection: row.name, id: row.id, ...(within && { within }) } as const
    const { found, isCurrent } = await engine.read(question, { isCaughtUp: true })
    if (found === undefined) return { ...NONE, hold: false }
    reads.push(isCurrent)
    before = row
  }
  return { hold: true, isCurrent: () => reads.every((isCurrent) => isCurrent()) }
}

const NONE: Links = { hold: true, isCurrent: () => true }

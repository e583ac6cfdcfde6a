import { deepCopy } from '../../json/patch/deep-copy.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import type { Commit, Effect } from '../commit.ts'
import { isRow } from '../is-row.ts'
import type { Entry } from '../past/kept.ts'

/** Who asked for a change. Handed to the engine with it, and handed back in its commit. */
export interface ChangeNote {
  readonly method?: string
  /** Without secrets. */
  readonly url?: string
  readonly session?: string
}

/** A change as the history keeps it. */
export interface Recorded extends Entry {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly note: ChangeNote
  /** The resources that are not what they were. */
  readonly names: readonly string[]
  /** Undefined where everything was replaced. */
  readonly effects: readonly Effect[] | undefined
  /** The changes that this one took back. */
  readonly undoes: readonly number[] | undefined
  /** The changes that this one made again. */
  readonly redoes: readonly number[] | undefined
}

/** The note in a commit; whatever it holds, only strings are believed. */
export function noteOf({ note }: Commit): ChangeNote {
  if (!isRow(note)) return {}
  const { method, url, session } = note
  return {
    ...(typeof method === 'string' && { method }),
    ...(typeof url === 'string' && { url }),
    ...(typeof session === 'string' && { session }),
  }
}

/** The same change with rows of its own: others may change those of the data in place. */
export function withOwnRows(recorded: Recorded): Recorded {
  return { ...recorded, effects: recorded.effects && copyEffects(recorded.effects) }
}

export function copyEffects(effects: readonly Effect[]): readonly Effect[] {
  // Just made of effects, so it is some.
  return workAtOnce(deepCopy(effects)) as readonly Effect[]
}

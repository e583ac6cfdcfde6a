import type { Ignored, Selection } from '../types.ts'

/** Tells with a selection which parameters had no effect on it, if there were any. */
export function withIgnored(selection: Selection, ignored: readonly Ignored[]): Selection {
  return ignored.length === 0 ? selection : { ...selection, ignored }
}

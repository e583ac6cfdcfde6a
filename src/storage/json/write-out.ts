import { workAtOnce, workInSlices } from '../../work/in-slices.ts'
import type { Engine, MaybePromise } from '../engine.ts'
import { allPieces, prettyPieces } from './pretty-json.ts'

/**
 * All data as JSON, in slices. It is that of the moment in which it was asked for; where somebody else was given the
 * data meanwhile, and may have changed rows in place, that of the moment in which it is written out in one go.
 */
export async function writeOut(engine: Engine): Promise<readonly Uint8Array[]> {
  const asked = engine.read({ kind: 'database' })
  const { found, isStable } = asked instanceof Promise ? await asked : asked
  if (!isStable()) return workAtOnce(prettyPieces(found))
  const pieces = await workInSlices(prettyPieces(found))
  return isStable() ? pieces : writeOut(engine)
}

/** A value that nobody changes meanwhile as JSON, in slices. */
export function writeValue(value: unknown): MaybePromise<readonly Uint8Array[]> {
  return workInSlices(allPieces(value))
}

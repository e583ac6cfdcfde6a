import { Pace } from '../util/pace.ts'
import { checkSize } from './limits.ts'
import { isRecord, setField } from './values.ts'

/** RFC 7396. Mutates neither argument. */
export async function applyMergePatch(value: unknown, patch: unknown): Promise<unknown> {
  const pace = new Pace()
  const merged = merge(value, patch)
  if (pace.isDue) await pace.turn()
  checkSize(merged)
  if (pace.isDue) await pace.turn()
  return merged
}

function merge(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const merged = isRecord(value) ? { ...value } : {}
  for (const name of Object.keys(patch)) {
    const part = patch[name]
    if (part === null) delete merged[name]
    else setField(merged, name, merge(Object.hasOwn(merged, name) ? merged[name] : undefined, part))
  }
  return merged
}
